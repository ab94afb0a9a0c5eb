import { BackendUnavailable } from '../outcome.ts';
import type { Hypervisor, MachineRef, WantedMachine, WantedPower } from './port.ts';

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
    status: async (machine: MachineRef, deadlineMs: number) =>
      (await of(machine.host)).status(machine, deadlineMs),
    ensureMachine: async (wanted: WantedMachine) => (await of(wanted.host)).ensureMachine(wanted),
    ensurePower: async (machine: MachineRef, power: WantedPower) =>
      (await of(machine.host)).ensurePower(machine, power),
    ensureAbsent: async (machine: MachineRef) => (await of(machine.host)).ensureAbsent(machine),
    list: async (host: string) => (await of(host)).list(host),
  };
}
