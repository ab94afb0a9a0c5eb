import type { WantedFirewall } from '../../../base/firewall.ts';
import { BackendUnavailable, type CommandOutcome } from '../../outcome.ts';
import type {
  Console,
  FoundMachine,
  HostCapacity,
  HostMetrics,
  Hypervisor,
  Inventory,
  MachineHardware,
  MachineRef,
  MachineStatus,
  NetworkAccess,
  NodeCapacity,
  PowerState,
  WantedMachine,
  WantedMedium,
  WantedPassword,
  WantedPower,
  WantedRescue,
  WantedSize,
} from '../port.ts';
import { removeBackup, removeBackups, restoreBackup, takeBackup } from './backup.ts';
import { capacityOf } from './capacity.ts';
import { removeFiles, removeOtherGenerations } from './disk.ts';
import { hardwareOf } from './hardware.ts';
import { keepHost } from './host-upkeep.ts';
import { install } from './installation.ts';
import { type FaultPoint, Machine, powerOf, Refused } from './machine.ts';
import { setMedium } from './medium.ts';
import { Meter } from './meter.ts';
import type { Node } from './node.ts';
import { setPassword } from './password.ts';
import { type FoundState, probe } from './probe.ts';
import { nodeProblem } from './problem.ts';
import { setFirewall, setNetworkAccess } from './reach.ts';
import { reboot, shutDown } from './reboot.ts';
import { setRescue } from './rescue.ts';
import { resize } from './size.ts';
import { removeSnapshot, restoreSnapshot, takeSnapshot } from './snapshot.ts';

export interface QemuOptions {
  /** The nodes of each host of the catalogue. */
  readonly hosts: ReadonlyMap<string, readonly Node[]>;
  /** Hears of every step that is about to be taken: tests stop commands here. */
  readonly reached?: (point: FaultPoint) => void;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const LIST_MS = 30_000;

/**
 * Machines of QEMU, on this machine or over SSH, with nothing in between: what there is of a machine is in one directory
 * of its node, and its process is found through it. Any number of processes may use one node.
 */
export class QemuHypervisor implements Hypervisor {
  readonly #hosts: ReadonlyMap<string, readonly Node[]>;
  readonly #reached: (point: FaultPoint) => void;
  readonly #meter = new Meter();

  constructor({ hosts, reached = () => {} }: QemuOptions) {
    this.#hosts = hosts;
    this.#reached = reached;
  }

  ensureMachine(wanted: WantedMachine): Promise<CommandOutcome<{ power: PowerState }>> {
    return this.#command(wanted, async (machine) => {
      const before = await machine.find();
      const isCurrent = before !== null && before.record.generation >= wanted.generation;
      const state = isCurrent ? before : await install(machine, wanted, before);
      // A run before this one may have ended between commit and clean.
      if (isCurrent) await removeOtherGenerations(machine.node, state.record);
      await machine.bring(state, wanted.power);
      return done({ power: wanted.power });
    });
  }

  ensurePower(ref: MachineRef, power: WantedPower): Promise<CommandOutcome<{ power: PowerState }>> {
    return this.#command(ref, async (machine) => {
      await machine.bring(await machine.found(), power);
      return done({ power });
    });
  }

  ensureShutdown(ref: MachineRef): Promise<CommandOutcome<{ power: PowerState }>> {
    return this.#command(ref, shutDown);
  }

  ensureRebooted(
    ref: MachineRef,
    number: number,
    how: 'graceful' | 'reset',
  ): Promise<CommandOutcome<{ power: PowerState }>> {
    return this.#command(ref, (machine) => reboot(machine, number, how));
  }

  ensurePassword(
    ref: MachineRef,
    wanted: WantedPassword,
  ): Promise<CommandOutcome<{ requiresReboot: boolean }>> {
    return this.#command(ref, async (machine) => done(await setPassword(machine, wanted)));
  }

  ensureResized(ref: MachineRef, wanted: WantedSize): Promise<CommandOutcome<{ requiresReboot: boolean }>> {
    return this.#command(ref, async (machine) => done(await resize(machine, wanted)));
  }

  ensureNetworkAccess(ref: MachineRef, wanted: NetworkAccess): Promise<CommandOutcome<null>> {
    return this.#command(ref, async (machine) => done(await setNetworkAccess(machine, wanted)));
  }

  ensureFirewall(ref: MachineRef, wanted: WantedFirewall): Promise<CommandOutcome<null>> {
    return this.#command(ref, async (machine) => done(await setFirewall(machine, wanted)));
  }

  ensureMedium(
    ref: MachineRef,
    wanted: WantedMedium | null,
  ): Promise<CommandOutcome<{ requiresReboot: boolean }>> {
    return this.#command(ref, async (machine) => done(await setMedium(machine, wanted)));
  }

  ensureRescue(ref: MachineRef, wanted: WantedRescue | null): Promise<CommandOutcome<null>> {
    return this.#command(ref, async (machine) => done(await setRescue(machine, wanted)));
  }

  ensureSnapshot(ref: MachineRef, id: string): ReturnType<Hypervisor['ensureSnapshot']> {
    return this.#command(ref, async (machine) => done({ takenAt: await takeSnapshot(machine, named(id)) }));
  }

  ensureSnapshotAbsent(ref: MachineRef, id: string): Promise<CommandOutcome<null>> {
    return this.#command(ref, async (machine) => done(await removeSnapshot(machine, named(id))));
  }

  ensureSnapshotRestored(ref: MachineRef, id: string, restoreId: string): Promise<CommandOutcome<null>> {
    return this.#command(ref, async (machine) =>
      done(await restoreSnapshot(machine, named(id), named(restoreId))),
    );
  }

  ensureBackup(ref: MachineRef, id: string): Promise<CommandOutcome<{ sizeBytes: number }>> {
    return this.#command(ref, async (machine) => done({ sizeBytes: await takeBackup(machine, named(id)) }));
  }

  ensureBackupAbsent(ref: MachineRef, id: string): Promise<CommandOutcome<null>> {
    return this.#command(ref, async (machine) => done(await removeBackup(machine, named(id))));
  }

  ensureBackupRestored(ref: MachineRef, id: string, restoreId: string): Promise<CommandOutcome<null>> {
    return this.#command(ref, async (machine) =>
      done(await restoreBackup(machine, named(id), named(restoreId))),
    );
  }

  ensureAbsent(ref: MachineRef): Promise<CommandOutcome<null>> {
    return this.#locked(ref, async (machine) => {
      await machine.cut();
      machine.reached('remove');
      await removeFiles(machine.node, machine.serverId);
      await removeBackups(machine);
      return done(null);
    });
  }

  status(ref: MachineRef, deadlineMs: number): Promise<MachineStatus | null> {
    return this.#question(deadlineMs, async () => {
      const machine = this.#machine(ref);
      const state = await machine.find();
      return state === null ? null : await this.#meter.status(machine, state);
    });
  }

  hardware(ref: MachineRef, deadlineMs: number): Promise<MachineHardware | null> {
    return this.#question(deadlineMs, async () => {
      const machine = this.#machine(ref);
      const state = await machine.find();
      return state === null ? null : hardwareOf(machine.node.settings, state.record);
    });
  }

  console(ref: MachineRef, deadlineMs: number): Promise<Console | null> {
    return this.#question(deadlineMs, async () => {
      const machine = this.#machine(ref);
      const state = await machine.find();
      if (state === null || (await powerOf(machine, state)) === 'stopped') return null;
      return {
        stream: machine.node.executor.connect(`${machine.node.run(ref.serverId)}/vnc.sock`),
        password: null,
      };
    });
  }

  async metrics(host: string, deadlineMs: number): Promise<HostMetrics> {
    const { answers, unreachableNodes } = await this.#ofEachNode(host, deadlineMs, async (node) => {
      const states = await this.#statesOf(node, host);
      return await Promise.all(states.map(([machine, state]) => this.#meter.metrics(machine, state)));
    });
    return { machines: answers.flat(), unreachableNodes };
  }

  async capacity(host: string, deadlineMs: number): Promise<HostCapacity> {
    const { answers, unreachableNodes } = await this.#ofEachNode<NodeCapacity>(host, deadlineMs, capacityOf);
    return { nodes: answers, unreachableNodes };
  }

  async probe({
    host,
    node: name,
  }: {
    readonly host: string;
    readonly node: string;
  }): Promise<string | null> {
    const node = this.#hosts.get(host)?.find((one) => one.name === name);
    return node === undefined ? 'the connection knows no such node' : await nodeProblem(node);
  }

  async list(host: string): Promise<Inventory> {
    const { answers, unreachableNodes } = await this.#ofEachNode(host, LIST_MS, async (node) => {
      const states = await this.#statesOf(node, host);
      return await Promise.all(
        states.map(async ([machine, state]): Promise<FoundMachine> => {
          const { serverId, generation, cores, memory, disk } = state.record;
          const power = await powerOf(machine, state);
          const poweredOff = power === 'stopped' && (state.process !== null || state.record.poweredOff);
          return { serverId, host, node: node.name, generation, cores, memory, disk, power, poweredOff };
        }),
      );
    });
    return { machines: answers.flat(), unreachableNodes };
  }

  async ensureHost(host: string): Promise<{ readonly unreachableNodes: readonly string[] }> {
    const { unreachableNodes } = await this.#ofEachNode(host, null, (node) =>
      keepHost(node, (at, serverId) => new Machine(at, serverId, this.#reached)),
    );
    return { unreachableNodes };
  }

  async #statesOf(node: Node, host: string): Promise<(readonly [Machine, FoundState])[]> {
    const states = await probe(node);
    return states
      .filter(({ record }) => record.host === host)
      .map((state) => [new Machine(node, state.record.serverId, this.#reached), state]);
  }

  /** Asks all nodes at once; of those that do not answer nothing is known. */
  async #ofEachNode<T>(
    host: string,
    deadlineMs: number | null,
    ask: (node: Node) => Promise<T>,
  ): Promise<{ answers: T[]; unreachableNodes: string[] }> {
    const nodes = this.#hosts.get(host);
    if (nodes === undefined)
      throw new BackendUnavailable(host, new Error(`no nodes of ${host} are configured`));
    const asked = await Promise.allSettled(
      nodes.map((node) => (deadlineMs === null ? ask(node) : this.#question(deadlineMs, () => ask(node)))),
    );
    return {
      answers: asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
      unreachableNodes: nodes.flatMap(({ name }, at) => (asked[at]?.status === 'rejected' ? [name] : [])),
    };
  }

  #machine({ host, node: name, serverId }: MachineRef): Machine {
    const node = this.#hosts.get(host)?.find((one) => one.name === name);
    if (node === undefined)
      throw new BackendUnavailable(name, new Error(`no node ${name} of ${host} is configured`));
    return new Machine(node, serverId, this.#reached);
  }

  /** A command for a machine, which is on or off when it begins: nothing is left of one that switched itself off. */
  #command<T>(
    ref: MachineRef,
    work: (machine: Machine) => Promise<CommandOutcome<T>>,
  ): Promise<CommandOutcome<T>> {
    return this.#locked(ref, async (machine) => {
      await machine.settle();
      return await work(machine);
    });
  }

  /** One command for a machine at a time. What refuses is an outcome; of what fails otherwise it is unknown. */
  async #locked<T>(
    ref: MachineRef,
    work: (machine: Machine) => Promise<CommandOutcome<T>>,
  ): Promise<CommandOutcome<T>> {
    if (!UUID.test(ref.serverId)) return { kind: 'refused', reason: 'not the id of a server' };
    const machine = this.#machine(ref);
    try {
      return await machine.node.locked(ref.serverId, (node) =>
        work(new Machine(node, ref.serverId, this.#reached)),
      );
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', reason: error.message };
      throw error instanceof BackendUnavailable ? error : new BackendUnavailable(machine.node.name, error);
    }
  }

  async #question<T>(deadlineMs: number, work: () => Promise<T>): Promise<T> {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const late = setTimeout(() => reject(new BackendUnavailable('qemu')), Math.min(deadlineMs, 2 ** 31 - 1));
    try {
      return await Promise.race([work(), tooLate]);
    } catch (error) {
      throw error instanceof BackendUnavailable ? error : new BackendUnavailable('qemu', error);
    } finally {
      clearTimeout(late);
    }
  }
}

function done<T>(result: T): CommandOutcome<T> {
  return { kind: 'done', result };
}

/** Ids become names of files. */
function named(id: string): string {
  if (!UUID.test(id)) throw new Refused('not an id');
  return id;
}
