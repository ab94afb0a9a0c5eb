import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { type ProxmoxConnection, proxmoxConnection } from './proxmox/connection.ts';
import { ClusterSettings } from './proxmox/settings.ts';
import { type QemuConnection, QemuConnectionSettings, qemuConnection } from './qemu/connection.ts';

/** The operator's file of hypervisors: connections by the names that the catalogue gives as a host's `hypervisor`. */
const HypervisorsFile = z.record(
  z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,62}$/)
    .refine((name) => name !== 'sandbox', 'the sandbox needs no connection'),
  z.discriminatedUnion('driver', [QemuConnectionSettings, ClusterSettings]),
);

/** Connections by their names, and by what drives them. */
export interface HypervisorConnections {
  readonly qemu: ReadonlyMap<string, QemuConnection>;
  readonly proxmox: ReadonlyMap<string, ProxmoxConnection>;
}

/** Throws ZodError when the file is wrong. */
export function openHypervisors(
  file: string,
  options: { readonly controlDirectory: string; readonly clock: Clock },
): HypervisorConnections {
  const connections = HypervisorsFile.parse(parse(readFileSync(file, 'utf8'), { schema: 'core' }));
  const qemu = new Map<string, QemuConnection>();
  const proxmox = new Map<string, ProxmoxConnection>();
  for (const [name, settings] of Object.entries(connections)) {
    if (settings.driver === 'qemu') qemu.set(name, qemuConnection(settings, options));
    else proxmox.set(name, proxmoxConnection(settings, options));
  }
  return { qemu, proxmox };
}
