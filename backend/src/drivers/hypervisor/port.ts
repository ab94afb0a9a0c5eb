import type { Duplex } from 'node:stream';
import type { WantedFirewall } from '../../base/firewall.ts';
import type { Instant } from '../../base/time.ts';
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
  /** What the program inside the machine says that works for the hypervisor; null: it does not answer. */
  readonly guestAgent: GuestAgent | null;
}

export interface GuestAgent {
  readonly osName: string | null;
  readonly addresses: readonly string[];
}

/** What a machine is built of, as the system in it sees that. */
export interface MachineHardware {
  /** The chipset: `q35`. */
  readonly machine: string;
  readonly firmware: 'bios' | 'uefi';
  /** The model of the processor. */
  readonly processor: string;
  readonly sockets: number;
  readonly ballooning: boolean;
  readonly disk: { readonly name: string; readonly bus: DiskBus };
  readonly network: { readonly name: string; readonly model: string };
  /** By their names, what it starts from first. */
  readonly bootOrder: readonly string[];
}

export type DiskBus = 'scsi' | 'virtio' | 'sata' | 'ide';

/**
 * What a machine used. Counters grow while it runs and begin at zero with each start, which `uptimeSeconds` tells:
 * it grows, too. Missing is null, never zero.
 */
export interface MachineMetrics {
  readonly serverId: string;
  readonly power: PowerState;
  readonly uptimeSeconds: number;
  /** Share of the assigned cores, 0 to 1, since the call before or since the start. */
  readonly cpu: number | null;
  readonly memoryUsedBytes: number | null;
  readonly diskUsedBytes: number | null;
  readonly diskReadBytes: number | null;
  readonly diskWrittenBytes: number | null;
  readonly netInBytes: number | null;
  readonly netOutBytes: number | null;
}

export interface HostMetrics {
  readonly machines: readonly MachineMetrics[];
  readonly unreachableNodes: readonly string[];
}

/** What a node has, not what is sold of it. Memory MiB, disk GiB. */
export interface NodeCapacity {
  readonly node: string;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  /** What the file system of the disks has left. */
  readonly diskFree: number;
}

export interface HostCapacity {
  readonly nodes: readonly NodeCapacity[];
  readonly unreachableNodes: readonly string[];
}

/** A machine's screen, keyboard and pointer: the server's side of RFB (RFC 6143). Ends when the machine does. */
export interface Console {
  readonly stream: Duplex;
  /** What the server asks for ("VNC Authentication"); null: nothing. */
  readonly password: string | null;
}

/** A machine as a back end lists it, for comparison with the books. */
export interface FoundMachine extends MachineRef {
  readonly generation: number;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly power: PowerState;
  /**
   * Whether it is off because the system in it switched it off. false of one that was told to be off, that crashed or went
   * with its node, and wherever nobody can tell.
   */
  readonly poweredOff: boolean;
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
  /** null: there is no such machine. */
  hardware(machine: MachineRef, deadlineMs: number): Promise<MachineHardware | null>;
  /** null: there is no such machine, or it is off. Whoever asked ends the stream. */
  console(machine: MachineRef, deadlineMs: number): Promise<Console | null>;
  /** All machines of a host of the catalogue in one call; those that are off are among them. */
  metrics(host: string, deadlineMs: number): Promise<HostMetrics>;
  capacity(host: string, deadlineMs: number): Promise<HostCapacity>;
}

/** A login as it is to be, counted by the changes that there were. */
export interface WantedPassword {
  readonly username: string;
  readonly password: string;
  /** Grows with each change; one that was carried out is not repeated. */
  readonly revision: number;
  /** guest_agent: at once, in the running machine. cloud_init: when the machine starts the next time. */
  readonly method: 'guest_agent' | 'cloud_init';
}

/** Memory MiB, disk GiB, uplink Mbit/s. */
export interface WantedSize {
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly uplink: number;
}

/** A medium of the operator's in a machine's drive. */
export interface WantedMedium {
  /** As the catalogue names it. */
  readonly name: string;
  readonly sha256: string;
  /** Whether the machine starts from it before it does from its disk. */
  readonly bootFirst: boolean;
}

/** Another system that a machine runs instead of its own. */
export interface WantedRescue {
  /** Another one for each rescue: the system that was made for it is not made again. */
  readonly rescueId: string;
  readonly image: string;
  readonly username: string;
  /** In clear, for the driver to hash. null: no password opens it. */
  readonly password: string | null;
  readonly sshKeys: readonly string[];
}

/** What of the network a machine reaches that every machine is kept from, and what not even it reaches. */
export interface NetworkAccess {
  /** Whether it may connect to mail servers, TCP port 25 (rule G2: only once an operator allows it). */
  readonly mail: boolean;
  /** Of its own addresses and networks those that nothing comes to or from. */
  readonly nullRouted: readonly string[];
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
  /**
   * Asks the system in the machine to shut down (ACPI); pending until it is off. It may never do so: whoever asks
   * decides how long to wait, and cuts the power by `ensurePower`. Refused when there is no machine.
   */
  ensureShutdown(machine: MachineRef): Promise<CommandOutcome<{ readonly power: PowerState }>>;
  /**
   * Starts the machine anew unless it was for this number, or a higher one, already. `graceful` asks the system to shut
   * down first and is pending until it did; `reset` does not ask. Refused when the machine is off, or not there.
   */
  ensureRebooted(
    machine: MachineRef,
    reboot: number,
    how: 'graceful' | 'reset',
  ): Promise<CommandOutcome<{ readonly power: PowerState }>>;
  /** Never runs user data again and never replaces host keys (rule G3). Refused without a guest agent that answers. */
  ensurePassword(
    machine: MachineRef,
    wanted: WantedPassword,
  ): Promise<CommandOutcome<{ readonly requiresReboot: boolean }>>;
  /**
   * Disks only grow, and not while there are snapshots: else refused (rule G4). The uplink changes at once; a running
   * machine gets cores and memory when it is started the next time.
   */
  ensureResized(
    machine: MachineRef,
    wanted: WantedSize,
  ): Promise<CommandOutcome<{ readonly requiresReboot: boolean }>>;
  /** Whatever state it is in, and through reinstallations. */
  ensureNetworkAccess(machine: MachineRef, wanted: NetworkAccess): Promise<CommandOutcome<null>>;
  /** Lets through what its customer wants beside what everybody is kept from, at any time and through reinstallations. */
  ensureFirewall(machine: MachineRef, wanted: WantedFirewall): Promise<CommandOutcome<null>>;
  /**
   * Puts a medium into the machine's drive, or takes out what is there (null); a reinstallation takes it out, too. It starts
   * from it, or not any more, when it is started the next time, and with `requiresReboot` sees it only then. Refused
   * where there is no such medium.
   */
  ensureMedium(
    machine: MachineRef,
    wanted: WantedMedium | null,
  ): Promise<CommandOutcome<{ readonly requiresReboot: boolean }>>;
  /**
   * Has a machine that is off start from another system, made once for each rescue, with its own disk as the second one and
   * untouched; null: from its own disk, and the other system is gone, as it is after a reinstallation. Refused while it
   * is on.
   */
  ensureRescue(machine: MachineRef, wanted: WantedRescue | null): Promise<CommandOutcome<null>>;
  /** Keeps the disk as it is now under this id, unless that is kept already. */
  ensureSnapshot(
    machine: MachineRef,
    snapshotId: string,
  ): Promise<CommandOutcome<{ readonly takenAt: Instant }>>;
  /** Done when there is none. */
  ensureSnapshotAbsent(machine: MachineRef, snapshotId: string): Promise<CommandOutcome<null>>;
  /** Puts the disk of a machine that is off back, once for each `restoreId`. Refused without such a snapshot. */
  ensureSnapshotRestored(
    machine: MachineRef,
    snapshotId: string,
    restoreId: string,
  ): Promise<CommandOutcome<null>>;
  /** Copies the disk away from the machine, to where the installation keeps backups, unless it was copied already. */
  ensureBackup(
    machine: MachineRef,
    backupId: string,
  ): Promise<CommandOutcome<{ readonly sizeBytes: number }>>;
  /** Done when there is none. */
  ensureBackupAbsent(machine: MachineRef, backupId: string): Promise<CommandOutcome<null>>;
  /** Puts the disk of a machine that is off back, once for each `restoreId`; its snapshots are gone then. */
  ensureBackupRestored(
    machine: MachineRef,
    backupId: string,
    restoreId: string,
  ): Promise<CommandOutcome<null>>;
  /** Removes the machine and its disks, snapshots and backups; done when there is none. */
  ensureAbsent(machine: MachineRef): Promise<CommandOutcome<null>>;
  /** What runs on a host of the catalogue. */
  list(host: string): Promise<Inventory>;
  /**
   * Tries whether a node can run machines, by running one for a second where the back end lets that be done unseen. What
   * keeps it from doing so, in words; null: nothing.
   */
  probe(node: { readonly host: string; readonly node: string }): Promise<string | null>;
  /**
   * Upkeep of a host, at any time and often: what it needs to run machines, machines that ran when it was switched off,
   * and no more seeds of machines that have started from them (rule G3). The nodes that did not answer.
   */
  ensureHost(host: string): Promise<{ readonly unreachableNodes: readonly string[] }>;
}
