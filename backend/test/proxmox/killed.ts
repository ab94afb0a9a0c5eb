/**
 * Runs one command of the proxmox driver in a process of its own, which kills itself (SIGKILL) when a point of it is
 * reached.
 *   node killed.ts <json: { settings, now, wanted, command, point }>
 */
import { ProxmoxApi } from '../../src/drivers/hypervisor/proxmox/api.ts';
import { ProxmoxHypervisor } from '../../src/drivers/hypervisor/proxmox/hypervisor.ts';
import { ClusterSettings } from '../../src/drivers/hypervisor/proxmox/settings.ts';

const { settings: given, now, wanted, command, point } = JSON.parse(process.argv[2] ?? '');
const settings = ClusterSettings.parse(given);
const api = new ProxmoxApi(settings);
const driver = new ProxmoxHypervisor({
  api,
  settings,
  clock: { now: () => Temporal.Instant.fromEpochMilliseconds(now) },
  waiting: { patienceMs: 8_000, lookMs: 2 },
  reached(at) {
    process.stdout.write(`${at}\n`);
    if (at === point) process.kill(process.pid, 'SIGKILL');
  },
});
const { kind } = await (command === 'absent' ? driver.ensureAbsent(wanted) : driver.ensureMachine(wanted));
if (kind !== 'done') throw new Error(kind);
api.close();
