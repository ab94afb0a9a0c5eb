import type { CommandOutcome } from '../outcome.ts';

export type PowerState = 'running' | 'stopped' | 'paused' | 'unknown';

/** Where a machine is, or is to be. */
export interface MachineRef {
  readonly serverId: string;
  readonly host: string;
  readonly node: string;
}

/** A server as it should be. Memory MiB, disk GiB, uplink Mbit/s. */
export interface WantedMachine extends MachineRef {
  /** Grows with each reinstall; a machine of this generation or a later one is left as it is. */
  readonly generation: number;
  readonly hostname: string;
  readonly image: string;
  readonly username: string;
  readonly password: string | null;
  readonly sshKeys: readonly string[];
  readonly userData: string | null;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly uplink: number;
  readonly ipv4: readonly { readonly address: string; readonly gateway: string }[];
  readonly ipv6: readonly { readonly network: string; readonly gateway: string }[];
  readonly power: 'running' | 'stopped' | 'paused';
}

export interface MachineStatus {
  readonly power: PowerState;
  readonly uptimeSeconds: number;
  /** Share of the assigned cores, 0 to 1. */
  readonly cpu: number;
  readonly memoryUsedMib: number;
  readonly diskUsedGib: number | null;
  readonly netInBytes: number;
  readonly netOutBytes: number;
}

/** A machine as a back end lists it, for comparison with the books. */
export interface FoundMachine extends MachineRef {
  readonly generation: number;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly power: PowerState;
}

/** Questions to hypervisors. Each throws BackendUnavailable when there is no answer within the deadline. */
export interface HypervisorQueries {
  /** null: there is no such machine. */
  status(machine: MachineRef, deadlineMs: number): Promise<MachineStatus | null>;
}

/** What jobs may do. */
export interface Hypervisor extends HypervisorQueries {
  /** Makes the machine if it is not there, else leaves it as it is, and brings it to the wanted power state. */
  ensureMachine(wanted: WantedMachine): Promise<CommandOutcome<{ readonly power: PowerState }>>;
  /** Removes the machine and its disks; done when there is none. */
  ensureAbsent(machine: MachineRef): Promise<CommandOutcome<null>>;
  /** Every machine of this installation on the hosts that this connection serves. */
  list(): Promise<readonly FoundMachine[]>;
}
