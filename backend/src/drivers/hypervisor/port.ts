import type { CommandOutcome } from '../outcome.ts';

/** How a machine is to be, and how one is found. */
export type WantedPower = 'running' | 'stopped' | 'paused';
export type PowerState = WantedPower | 'unknown';

/** Where a machine is, or is to be. The server's id names it on the back end. */
export interface MachineRef {
  readonly serverId: string;
  readonly host: string;
  readonly node: string;
}

/** A server as it should be. Memory MiB, disk GiB, uplink Mbit/s. */
export interface WantedMachine extends MachineRef {
  /** Grows with each reinstall; a machine of this generation or a later one keeps its disk (rule G1). */
  readonly generation: number;
  readonly hostname: string;
  readonly image: string;
  readonly username: string;
  /** In clear, for the driver to hash: seeds carry hashes only (rule G3). */
  readonly password: string | null;
  readonly sshKeys: readonly string[];
  readonly userData: string | null;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly uplink: number;
  readonly ipv4: readonly { readonly address: string; readonly gateway: string }[];
  readonly ipv6: readonly { readonly network: string; readonly gateway: string }[];
  readonly power: WantedPower;
}

export interface MachineStatus {
  readonly power: PowerState;
  readonly uptimeSeconds: number;
  /** Share of the assigned cores, 0 to 1. */
  readonly cpu: number;
  readonly memoryUsedMib: number;
  readonly diskUsedGib: number | null;
  /** Since the machine was started. */
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

/** What a back end says that it runs on one host. */
export interface Inventory {
  /** Every machine that carries this installation's mark. */
  readonly machines: readonly FoundMachine[];
  /** Nodes that did not answer: nothing is known of what they run. */
  readonly unreachableNodes: readonly string[];
}

/** Questions to hypervisors. Each throws BackendUnavailable when there is no answer within the deadline. */
export interface HypervisorQueries {
  /** null: there is no such machine. */
  status(machine: MachineRef, deadlineMs: number): Promise<MachineStatus | null>;
}

/**
 * What jobs may do. Commands name the wanted state, may run twice and at the same time, and throw
 * BackendUnavailable when their outcome is unknown. After a refusal nothing has changed.
 */
export interface Hypervisor extends HypervisorQueries {
  /**
   * Makes the machine if it is not there; installs it anew if its generation is lower than the wanted one,
   * else leaves its disk as it is; and brings it to the wanted power state.
   */
  ensureMachine(wanted: WantedMachine): Promise<CommandOutcome<{ readonly power: PowerState }>>;
  /** Brings a machine to a power state. Refused when there is none: it is never made here. */
  ensurePower(
    machine: MachineRef,
    power: WantedPower,
  ): Promise<CommandOutcome<{ readonly power: PowerState }>>;
  /** Removes the machine and its disks; done when there is none. */
  ensureAbsent(machine: MachineRef): Promise<CommandOutcome<null>>;
  /** What runs on a host of the catalogue. */
  list(host: string): Promise<Inventory>;
}
