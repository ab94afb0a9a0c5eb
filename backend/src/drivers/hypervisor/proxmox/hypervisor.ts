import type { Clock } from '../../../base/clock.ts';
import type { WantedFirewall } from '../../../base/firewall.ts';
import { BackendUnavailable, type CommandOutcome } from '../../outcome.ts';
import type {
  Console,
  HostCapacity,
  HostMetrics,
  Hypervisor,
  Inventory,
  MachineHardware,
  MachineRef,
  MachineStatus,
  NetworkAccess,
  PowerState,
  WantedMachine,
  WantedMedium,
  WantedPassword,
  WantedPower,
  WantedRescue,
  WantedSize,
} from '../port.ts';
import { type ProxmoxApi, unavailable } from './api.ts';
import { removeBackup, restoreBackup, takeBackup } from './backup.ts';
import { Cluster, type FaultPoint, type Waiting } from './cluster.ts';
import { openConsole } from './console.ts';
import { capacityOf, inventory, metricsOf, statusOf } from './figures.ts';
import { ensureFirewall } from './firewall.ts';
import { hardwareOf } from './hardware.ts';
import { install } from './installation.ts';
import { mustBeUnleased } from './lease.ts';
import { find, findAll, found, Machine, mustBeFree } from './machine.ts';
import { setMedium } from './medium.ts';
import { setPassword } from './password.ts';
import { bring, onBoot, shutDown } from './power.ts';
import { clusterProblem } from './problem.ts';
import { reboot } from './reboot.ts';
import { PveRefusal, Refused, UnderWay } from './refusal.ts';
import { destroy, removeAll } from './removal.ts';
import { setRescue } from './rescue.ts';
import type { ClusterSettings } from './settings.ts';
import { resize } from './size.ts';
import { removeSnapshot, restoreSnapshot, takeSnapshot } from './snapshot.ts';
import { keepSeeds } from './upkeep.ts';

export interface ProxmoxOptions {
  readonly api: ProxmoxApi;
  readonly settings: ClusterSettings;
  readonly clock: Clock;
  readonly waiting?: Waiting;
  /** Hears of every step that is about to be taken: tests stop commands here. */
  readonly reached?: (point: FaultPoint) => void;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WAITING: Waiting = { patienceMs: 8_000, lookMs: 200 };
/** Shorter than a lease: whoever has one has ended before another may take it. */
const COMMAND_MS = 60_000;
const LIST_MS = 30_000;

/**
 * A cluster of Proxmox VE. What there is of a machine is in the cluster alone: it is found by its tag wherever it was
 * moved to, tasks go on while nobody waits for them, and any number of processes may work on one cluster.
 */
export class ProxmoxHypervisor implements Hypervisor {
  readonly #options: ProxmoxOptions;

  constructor(options: ProxmoxOptions) {
    this.#options = options;
  }

  ensureMachine(wanted: WantedMachine): Promise<CommandOutcome<{ power: PowerState }>> {
    return this.#command(wanted.serverId, async (cluster) => {
      const before = await findAll(cluster, wanted.serverId);
      const { current } = before;
      if (current !== null) mustBeFree(current);
      const isCurrent = current !== null && (current.mark?.generation ?? 0) >= wanted.generation;
      const machine = isCurrent
        ? await Machine.read(cluster, current)
        : await install(cluster, wanted, before);
      // A run before this one may have ended between commit and here. Two with the same addresses must not run.
      const { older, unfinished } = isCurrent ? before : await findAll(cluster, wanted.serverId);
      for (const machineLeft of unfinished) mustBeUnleased(machineLeft);
      for (const vm of [...older, ...unfinished.map((one) => one.vm)]) await destroy(cluster, vm);
      await bring(machine, wanted.power);
      return { power: wanted.power };
    });
  }

  ensurePower(ref: MachineRef, power: WantedPower): Promise<CommandOutcome<{ power: PowerState }>> {
    return this.#onMachine(ref, async (machine) => {
      await bring(machine, power);
      return { power };
    });
  }

  ensureShutdown(ref: MachineRef): Promise<CommandOutcome<{ power: PowerState }>> {
    return this.#onMachine(ref, async (machine) => {
      await shutDown(await onBoot(machine, false));
      return { power: 'stopped' };
    });
  }

  ensureRebooted(
    ref: MachineRef,
    number: number,
    how: 'graceful' | 'reset',
  ): Promise<CommandOutcome<{ power: PowerState }>> {
    return this.#onMachine(ref, async (machine) => {
      await reboot(machine, number, how);
      return { power: 'running' };
    });
  }

  ensurePassword(
    ref: MachineRef,
    wanted: WantedPassword,
  ): Promise<CommandOutcome<{ requiresReboot: boolean }>> {
    return this.#onMachine(ref, (machine) => setPassword(machine, wanted));
  }

  ensureResized(ref: MachineRef, wanted: WantedSize): Promise<CommandOutcome<{ requiresReboot: boolean }>> {
    return this.#onMachine(ref, (machine) => resize(machine, wanted));
  }

  ensureNetworkAccess(ref: MachineRef, { mail, nullRouted }: NetworkAccess): Promise<CommandOutcome<null>> {
    return this.#onMachine(ref, async (machine) => {
      const { record } = await machine.write({ ...machine.record, mail, nullRouted: [...nullRouted] });
      await ensureFirewall({ cluster: machine.cluster, path: (below) => machine.path(below) }, record);
      return null;
    });
  }

  ensureFirewall(ref: MachineRef, { rules, ...policies }: WantedFirewall): Promise<CommandOutcome<null>> {
    return this.#onMachine(ref, async (machine) => {
      const { record } = await machine.write({ ...machine.record, policies });
      await ensureFirewall({ cluster: machine.cluster, path: (below) => machine.path(below) }, record, rules);
      return null;
    });
  }

  ensureMedium(
    ref: MachineRef,
    wanted: WantedMedium | null,
  ): Promise<CommandOutcome<{ requiresReboot: boolean }>> {
    return this.#onMachine(ref, (machine) => setMedium(machine, wanted));
  }

  ensureRescue(ref: MachineRef, wanted: WantedRescue | null): Promise<CommandOutcome<null>> {
    return this.#onMachine(ref, async (machine) => {
      await setRescue(machine, wanted);
      return null;
    });
  }

  ensureSnapshot(ref: MachineRef, id: string): ReturnType<Hypervisor['ensureSnapshot']> {
    return this.#onMachine(ref, async (machine) => ({ takenAt: await takeSnapshot(machine, named(id)) }));
  }

  ensureSnapshotAbsent(ref: MachineRef, id: string): Promise<CommandOutcome<null>> {
    return this.#command(ref.serverId, async (cluster) => {
      const machine = await find(cluster, ref.serverId);
      if (machine === null) return null;
      mustBeFree(machine.vm);
      await removeSnapshot(machine, named(id));
      return null;
    });
  }

  ensureSnapshotRestored(ref: MachineRef, id: string, restoreId: string): Promise<CommandOutcome<null>> {
    return this.#onMachine(ref, async (machine) => {
      await restoreSnapshot(machine, named(id), named(restoreId));
      return null;
    });
  }

  ensureBackup(ref: MachineRef, id: string): Promise<CommandOutcome<{ sizeBytes: number }>> {
    return this.#onMachine(ref, async (machine) => ({ sizeBytes: await takeBackup(machine, named(id)) }));
  }

  ensureBackupAbsent(ref: MachineRef, id: string): Promise<CommandOutcome<null>> {
    return this.#command(ref.serverId, async (cluster) => {
      await removeBackup(cluster, ref, named(id));
      return null;
    });
  }

  ensureBackupRestored(ref: MachineRef, id: string, restoreId: string): Promise<CommandOutcome<null>> {
    return this.#onMachine(ref, async (machine) => {
      await restoreBackup(machine, named(id), named(restoreId));
      return null;
    });
  }

  ensureAbsent(ref: MachineRef): Promise<CommandOutcome<null>> {
    return this.#command(ref.serverId, async (cluster) => {
      await removeAll(cluster, ref);
      return null;
    });
  }

  status({ serverId }: MachineRef, deadlineMs: number): Promise<MachineStatus | null> {
    return this.#question(deadlineMs, async (cluster) => {
      const machine = await find(cluster, serverId);
      return machine === null ? null : await statusOf(machine);
    });
  }

  hardware({ serverId }: MachineRef, deadlineMs: number): Promise<MachineHardware | null> {
    return this.#question(deadlineMs, async (cluster) => {
      const machine = await find(cluster, serverId);
      return machine === null ? null : hardwareOf(machine.configuration);
    });
  }

  console({ serverId }: MachineRef, deadlineMs: number): Promise<Console | null> {
    return this.#question(deadlineMs, async (cluster) => {
      const machine = await find(cluster, serverId);
      return machine === null ? null : await openConsole(machine);
    });
  }

  metrics(host: string, deadlineMs: number): Promise<HostMetrics> {
    return this.#question(deadlineMs, (cluster) => metricsOf(cluster, host));
  }

  capacity(host: string, deadlineMs: number): Promise<HostCapacity> {
    return this.#question(deadlineMs, (cluster) => capacityOf(cluster, host));
  }

  /** No machine is started: a cluster is its operator's, who would see it. It refuses by itself what it cannot run. */
  async probe({ node }: { readonly host: string; readonly node: string }): Promise<string | null> {
    const { api, settings, clock } = this.#options;
    const problem = await clusterProblem(api, settings, clock);
    if (problem !== null) return problem;
    const offline = await this.#question(LIST_MS, (cluster) => cluster.offline());
    return offline.has(node) ? 'the cluster says that it is offline' : null;
  }

  list(host: string): Promise<Inventory> {
    return this.#question(LIST_MS, (cluster) => inventory(cluster, host));
  }

  /** Machines that ran when their node was switched off are started by the node itself (`onboot`). */
  ensureHost(host: string): Promise<{ readonly unreachableNodes: readonly string[] }> {
    return this.#question(COMMAND_MS, async (cluster) => {
      const offline = await cluster.offline();
      const unreachableNodes: string[] = [];
      for (const node of cluster.nodesOf(host)) {
        try {
          if (offline.has(node)) unreachableNodes.push(node);
          else await keepSeeds(cluster, node, this.#options.clock.now());
        } catch (error) {
          if (!(error instanceof BackendUnavailable)) throw error;
          unreachableNodes.push(node);
        }
      }
      return { unreachableNodes };
    });
  }

  #cluster(deadlineMs: number): Cluster {
    const { api, settings, clock, waiting = WAITING, reached } = this.#options;
    const signal = AbortSignal.timeout(Math.min(deadlineMs, 2 ** 31 - 1));
    return new Cluster(api, settings, {
      signal,
      clock,
      waiting,
      ...(reached === undefined ? {} : { reached }),
    });
  }

  #onMachine<T>(
    { serverId }: MachineRef,
    work: (machine: Machine) => Promise<T>,
  ): Promise<CommandOutcome<T>> {
    return this.#command(serverId, async (cluster) => await work(await found(cluster, serverId)));
  }

  /** What refuses is an outcome, and so is what goes on in the cluster; of what fails otherwise it is unknown. */
  async #command<T>(serverId: string, work: (cluster: Cluster) => Promise<T>): Promise<CommandOutcome<T>> {
    if (!UUID.test(serverId)) return { kind: 'refused', reason: 'not the id of a server' };
    try {
      return { kind: 'done', result: await work(this.#cluster(COMMAND_MS)) };
    } catch (error) {
      if (error instanceof UnderWay) return { kind: 'pending', step: error.step, progress: 50 };
      if (error instanceof Refused || error instanceof PveRefusal)
        return { kind: 'refused', reason: error.message };
      throw unavailable(error);
    }
  }

  async #question<T>(deadlineMs: number, work: (cluster: Cluster) => Promise<T>): Promise<T> {
    try {
      return await work(this.#cluster(deadlineMs));
    } catch (error) {
      throw unavailable(error);
    }
  }
}

/** Ids become names in the cluster. */
function named(id: string): string {
  if (!UUID.test(id)) throw new Refused('not an id');
  return id;
}
