import { sha256 } from '../../../base/canonical.ts';
import type { Instant } from '../../../base/time.ts';
import type { MachineMetrics, MachineStatus, WantedPower } from '../port.ts';

export interface Activity {
  readonly serverId: string;
  readonly memory: number;
  readonly disk: number;
  readonly power: WantedPower;
  readonly bootedAt: Instant | null;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const STOPPED = {
  uptimeSeconds: 0,
  cpu: 0,
  memoryUsedMib: 0,
  netInBytes: 0,
  netOutBytes: 0,
  guestAgent: null,
};

/** What a machine is doing at a moment: made up, but the same for everyone who asks about that moment. */
export function activityAt(machine: Activity, now: Instant): MachineStatus {
  const diskUsedGib = Math.ceil(machine.disk * (0.05 + 0.4 * share(machine.serverId, 'disk')));
  if (machine.bootedAt === null) return { power: machine.power, diskUsedGib, ...STOPPED };
  const uptimeSeconds = Math.max(0, Math.floor(now.since(machine.bootedAt).total('seconds')));
  const minute = Math.floor(now.epochMilliseconds / 60_000);
  const paused = machine.power === 'paused';
  const bytesPerSecond = Math.floor(20_000 * share(machine.serverId, 'net'));
  return {
    power: machine.power,
    uptimeSeconds,
    cpu: paused ? 0 : Math.round(100 * (0.02 + 0.5 * share(machine.serverId, `cpu ${minute}`))) / 100,
    memoryUsedMib: Math.floor(machine.memory * (0.2 + 0.5 * share(machine.serverId, 'memory'))),
    diskUsedGib,
    netInBytes: bytesPerSecond * uptimeSeconds,
    netOutBytes: 3 * bytesPerSecond * uptimeSeconds,
    guestAgent: paused ? null : { osName: null, addresses: [] },
  };
}

/** The same as counters. */
export function metricsAt(machine: Activity, now: Instant): MachineMetrics {
  const { power, uptimeSeconds, cpu, memoryUsedMib, diskUsedGib, netInBytes, netOutBytes } = activityAt(
    machine,
    now,
  );
  const isOff = machine.bootedAt === null;
  const written = Math.floor(50_000 * share(machine.serverId, 'written')) * uptimeSeconds;
  return {
    serverId: machine.serverId,
    power,
    uptimeSeconds,
    cpu: isOff ? null : cpu,
    memoryUsedBytes: isOff ? null : memoryUsedMib * MIB,
    diskUsedBytes: diskUsedGib === null ? null : diskUsedGib * GIB,
    diskReadBytes: isOff ? null : 2 * written,
    diskWrittenBytes: isOff ? null : written,
    netInBytes: isOff ? null : netInBytes,
    netOutBytes: isOff ? null : netOutBytes,
  };
}

/** From 0 to less than 1, fixed by its arguments. */
function share(serverId: string, what: string): number {
  return sha256(`${serverId} ${what}`).readUInt32BE(0) / 2 ** 32;
}
