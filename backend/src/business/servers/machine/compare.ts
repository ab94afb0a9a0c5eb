import type { FoundMachine, Inventory, PowerState, WantedPower } from '../../../drivers/hypervisor/port.ts';
import type { ServiceState } from '../../selling/subscriptions/service.ts';
import { wantedOfMachine } from './convergence.ts';

/** A server as the books have it. */
export interface RecordedServer {
  readonly id: string;
  readonly host: string;
  readonly node: string;
  readonly generation: number;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly wanted_power: WantedPower;
  readonly power_state: PowerState;
  readonly state: ServiceState;
  /** It has no machine any more, or never got one. */
  readonly gone: boolean;
  /** A task is under way: what is found meanwhile means nothing. */
  readonly busy: boolean;
}

export const DIFFERENCE_KINDS = [
  'machine_missing',
  'machine_unknown',
  'machine_elsewhere',
  'size_differs',
  'generation_differs',
  'power_differs',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export interface Difference {
  readonly kind: DifferenceKind;
  readonly serverId: string;
  readonly host: string;
  readonly node: string;
  readonly booked: Readonly<Record<string, unknown>> | null;
  readonly found: Readonly<Record<string, unknown>> | null;
  /** Only a machine that should run and does not is set right: to stop, make or remove one could lose data. */
  readonly repairable: boolean;
  /** It should run, and its own system switched it off: that was its customer's doing. */
  readonly poweredOff: boolean;
}

/**
 * Compares the books of a host with what its back end lists. `servers` were read after the inventory and hold
 * every living server of the host and every server that was found; `deliveredBefore` are those that had been
 * delivered before it. Machines on nodes that do not answer are unknown, so nothing is said about them.
 */
export function compare(
  host: string,
  servers: readonly RecordedServer[],
  deliveredBefore: ReadonlySet<string>,
  { machines, unreachableNodes }: Inventory,
): Difference[] {
  const unreachable = new Set(unreachableNodes);
  const byId = new Map(servers.map((server) => [server.id, server]));
  const foundIds = new Set(machines.map((machine) => machine.serverId));
  const differences = machines.flatMap((machine) => {
    const server = byId.get(machine.serverId);
    if (server === undefined || (server.gone && !server.busy)) return [unknownMachine(machine)];
    return server.gone || server.busy || !isDelivered(server) ? [] : machineDifferences(server, machine);
  });
  const missing = servers.filter(
    (server) =>
      server.host === host &&
      !server.gone &&
      !server.busy &&
      isDelivered(server) &&
      deliveredBefore.has(server.id) &&
      !foundIds.has(server.id) &&
      !unreachable.has(server.node),
  );
  return [...differences, ...missing.map(missingMachine)];
}

export function isDelivered({ state }: { readonly state: ServiceState }): boolean {
  return state !== 'pending' && state !== 'provisioning';
}

/** What is for an operator to look at. */
const REPORTED = { repairable: false, poweredOff: false };

function unknownMachine(machine: FoundMachine): Difference {
  const { serverId, host, node, ...found } = machine;
  return { kind: 'machine_unknown', serverId, host, node, booked: null, found, ...REPORTED };
}

function missingMachine(server: RecordedServer): Difference {
  const { id: serverId, host, node, state, generation } = server;
  return {
    kind: 'machine_missing',
    serverId,
    host,
    node,
    booked: { state, generation },
    found: null,
    ...REPORTED,
  };
}

function machineDifferences(server: RecordedServer, machine: FoundMachine): Difference[] {
  const { id: serverId, host, node } = server;
  const place = { serverId, host, node };
  const differences: Difference[] = [];
  const differ = (kind: DifferenceKind, booked: object, found: object, more = REPORTED) =>
    differences.push({ kind, ...place, booked: { ...booked }, found: { ...found }, ...more });
  if (machine.host !== host || machine.node !== node) {
    differ('machine_elsewhere', { host, node }, { host: machine.host, node: machine.node });
  }
  const sizeOf = ({ cores, memory, disk }: RecordedServer | FoundMachine) => ({ cores, memory, disk });
  if (server.cores !== machine.cores || server.memory !== machine.memory || server.disk !== machine.disk) {
    differ('size_differs', sizeOf(server), sizeOf(machine));
  }
  if (server.generation !== machine.generation) {
    const { generation } = machine;
    differ('generation_differs', { generation: server.generation }, { generation });
  }
  const power = wantedOfMachine(server);
  if (machine.power !== 'unknown' && machine.power !== power) {
    const isOnlyOff = power === 'running' && differences.length === 0;
    const poweredOff = isOnlyOff && machine.poweredOff;
    const more = { repairable: isOnlyOff && !poweredOff, poweredOff };
    differ('power_differs', { power }, { power: machine.power }, more);
  }
  return differences;
}

const MOST_DIFFERENCES = 10;
const ONE_IN = 100;

/**
 * How many differences are few enough to set right what can be (rule C3): one in a hundred servers, at most
 * ten. One is always allowed, else nothing could ever be started on a small platform.
 */
export function mostDifferences(servers: number): number {
  return Math.max(1, Math.min(MOST_DIFFERENCES, Math.floor(servers / ONE_IN)));
}
