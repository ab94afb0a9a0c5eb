import { BackendUnavailable } from '../outcome.ts';
import type { Hypervisor } from './port.ts';

export interface RoutingOptions {
  /** The hypervisor connection that the catalogue names for a host; null: it does not know the host. */
  readonly connectionOf: (host: string) => string | null;
  /** The configured connections by name. */
  readonly connections: ReadonlyMap<string, Hypervisor>;
}

/**
 * All hypervisors as one: each call goes to the connection that runs the host. A connection that nobody has
 * configured is one that does not answer, so work for it waits until somebody does.
 */
export function routedHypervisor({ connectionOf, connections }: RoutingOptions): Hypervisor {
  // Async, so that a host without a connection rejects like any back end that is away.
  const of = async (host: string): Promise<Hypervisor> => {
    const name = connectionOf(host);
    const connection = name === null ? undefined : connections.get(name);
    if (connection !== undefined) return connection;
    const missing = name === null ? `no host is named ${host}` : `no hypervisor connection is named ${name}`;
    throw new BackendUnavailable(name ?? 'hypervisor', new Error(missing));
  };
  return {
    status: async (machine, deadlineMs) => (await of(machine.host)).status(machine, deadlineMs),
    hardware: async (machine, deadlineMs) => (await of(machine.host)).hardware(machine, deadlineMs),
    console: async (machine, deadlineMs) => (await of(machine.host)).console(machine, deadlineMs),
    metrics: async (host, deadlineMs) => (await of(host)).metrics(host, deadlineMs),
    capacity: async (host, deadlineMs) => (await of(host)).capacity(host, deadlineMs),
    ensureMachine: async (wanted) => (await of(wanted.host)).ensureMachine(wanted),
    ensurePower: async (machine, power) => (await of(machine.host)).ensurePower(machine, power),
    ensureShutdown: async (machine) => (await of(machine.host)).ensureShutdown(machine),
    ensureRebooted: async (machine, ...reboot) => (await of(machine.host)).ensureRebooted(machine, ...reboot),
    ensurePassword: async (machine, wanted) => (await of(machine.host)).ensurePassword(machine, wanted),
    ensureResized: async (machine, wanted) => (await of(machine.host)).ensureResized(machine, wanted),
    ensureNetworkAccess: async (machine, wanted) =>
      (await of(machine.host)).ensureNetworkAccess(machine, wanted),
    ensureFirewall: async (machine, wanted) => (await of(machine.host)).ensureFirewall(machine, wanted),
    ensureMedium: async (machine, wanted) => (await of(machine.host)).ensureMedium(machine, wanted),
    ensureRescue: async (machine, wanted) => (await of(machine.host)).ensureRescue(machine, wanted),
    ensureSnapshot: async (machine, id) => (await of(machine.host)).ensureSnapshot(machine, id),
    ensureSnapshotAbsent: async (machine, id) => (await of(machine.host)).ensureSnapshotAbsent(machine, id),
    ensureSnapshotRestored: async (machine, ...ids) =>
      (await of(machine.host)).ensureSnapshotRestored(machine, ...ids),
    ensureBackup: async (machine, id) => (await of(machine.host)).ensureBackup(machine, id),
    ensureBackupAbsent: async (machine, id) => (await of(machine.host)).ensureBackupAbsent(machine, id),
    ensureBackupRestored: async (machine, ...ids) =>
      (await of(machine.host)).ensureBackupRestored(machine, ...ids),
    ensureAbsent: async (machine) => (await of(machine.host)).ensureAbsent(machine),
    probe: async (node) => (await of(node.host)).probe(node),
    list: async (host) => (await of(host)).list(host),
    ensureHost: async (host) => (await of(host)).ensureHost(host),
  };
}
