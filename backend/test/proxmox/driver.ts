import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import { ProxmoxApi } from '../../src/drivers/hypervisor/proxmox/api.ts';
import type { FaultPoint } from '../../src/drivers/hypervisor/proxmox/cluster.ts';
import { ProxmoxHypervisor } from '../../src/drivers/hypervisor/proxmox/hypervisor.ts';
import { ClusterSettings } from '../../src/drivers/hypervisor/proxmox/settings.ts';
import { MEDIUM, type Simulator, TEMPLATE } from './simulator.ts';

/** Settings as an operator's file gives them, for a simulated cluster; the token is in a file of its own. */
export function settingsFor({ url, server, token }: Simulator, tokenFile: string): object {
  writeFileSync(tokenFile, `${token.id}=${token.secret}\n`, { mode: 0o600 });
  return {
    driver: 'proxmox',
    urls: [url],
    fingerprints: [new X509Certificate(server.certificate.cert).fingerprint256],
    token: { file: tokenFile },
    hosts: { 'fra-epyc': ['pve1', 'pve2'] },
    images: { 'debian-13': [TEMPLATE] },
    media: { 'debian-13-netinst': MEDIUM },
    ...{ storage: 'disks', seeds: 'local', backups: 'backups' },
    network: { bridge: 'vmbr0', resolvers: ['9.9.9.9'], closed: ['10.0.0.0/8'] },
  };
}

export interface OpenDriver {
  readonly driver: ProxmoxHypervisor;
  readonly settings: ClusterSettings;
  close(): void;
}

export interface DriverOptions {
  readonly reached?: (point: FaultPoint) => void;
  readonly patienceMs?: number;
  readonly change?: object;
}

/** The driver on a simulated cluster, with the cluster's clock. */
export function openDriver(simulator: Simulator, options: DriverOptions = {}): OpenDriver {
  const { reached, patienceMs = 8000, change = {} } = options;
  const directory = mkdtempSync(join(tmpdir(), 'proxmox-'));
  const settings = ClusterSettings.parse({ ...settingsFor(simulator, join(directory, 'token')), ...change });
  const api = new ProxmoxApi(settings);
  const clock: Clock = {
    now: () => Temporal.Instant.fromEpochMilliseconds(simulator.cluster.now * 1000),
  };
  const driver = new ProxmoxHypervisor({
    ...{ api, settings, clock, waiting: { patienceMs, lookMs: 2 } },
    ...(reached === undefined ? {} : { reached }),
  });
  return {
    driver,
    settings,
    close() {
      api.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
