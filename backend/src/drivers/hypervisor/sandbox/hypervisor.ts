import { sha256 } from '../../../base/canonical.ts';
import type { Clock } from '../../../base/clock.ts';
import type { WantedFirewall } from '../../../base/firewall.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
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
  PowerState,
  WantedMachine,
  WantedMedium,
  WantedPassword,
  WantedPower,
  WantedRescue,
  WantedSize,
} from '../port.ts';
import { activityAt, metricsAt } from './activity.ts';
import { openScreen } from './console.ts';
import { copyDisk, type DiskCopy, forgetCopy, restoreCopy } from './disk-copy.ts';
import { type CallScope, type SandboxCommand, takeFault } from './fault.ts';
import { changeFirewall } from './firewall.ts';
import { type Bootable, changeMedium, hardwareOf } from './medium.ts';
import { hashLogin } from './password.ts';
import { changeRescue } from './rescue.ts';

export interface SandboxOptions {
  /** A pool of the sandbox's own: each of its statements commits by itself, as another system's would. */
  readonly db: Executor;
  readonly clock: Clock;
  /** How a slow call passes its time. */
  readonly wait?: (ms: number) => Promise<void>;
}

const NO_MACHINE = { kind: 'refused', reason: 'there is no such machine' } as const;

const REINSTALLED = `restores = '{}', generation = excluded.generation, installs = m.installs + 1, files = '{}',
  hostname = excluded.hostname, image = excluded.image, username = excluded.username,
  login_hash = excluded.login_hash, user_data_digest = excluded.user_data_digest,
  ssh_keys = excluded.ssh_keys, power = excluded.power, powered_off = false, booted_at = excluded.booted_at,
  medium = NULL, medium_first = false, rescue_id = NULL, rescue_image = NULL, rescue_ssh_keys = '{}',
  rescue_login_hash = NULL, rescue_files = '{}'`;

// No row comes back where the machine is there already, of this generation or a later one. Snapshots are inside the disk
// that is gone.
const install = statement<{ server_id: string }>(
  'sandbox_install',
  `WITH installed AS (
   INSERT INTO sandbox.machines AS m (server_id, host, node, generation, hostname, image, username,
     login_hash, user_data_digest, ssh_keys, cores, memory, disk, uplink, ipv4, ipv6, power, booted_at, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::inet[], $16::inet[], $17,
     CASE WHEN $17 = 'stopped' THEN NULL ELSE $18::timestamptz END, $18)
   ON CONFLICT (server_id) DO UPDATE SET ${REINSTALLED} WHERE m.generation < excluded.generation
   RETURNING server_id),
   gone AS (
     DELETE FROM sandbox.disk_copies c USING installed i WHERE c.server_id = i.server_id AND c.kind = 'snapshot')
   SELECT server_id FROM installed`,
);

const setPower = statement<{ power: WantedPower }>(
  'sandbox_power',
  `UPDATE sandbox.machines SET power = $2, powered_off = false,
     booted_at = CASE WHEN $2 = 'stopped' THEN NULL ELSE coalesce(booted_at, $3::timestamptz) END
   WHERE server_id = $1 RETURNING power`,
);

const remove = statement<object>('sandbox_remove', 'DELETE FROM sandbox.machines WHERE server_id = $1');

const one = statement<
  Bootable & {
    hostname: string;
    memory: number;
    disk: number;
    power: WantedPower;
    booted_at: Instant | null;
  }
>(
  'sandbox_machine',
  `SELECT hostname, memory, disk, power, booted_at, medium, medium_first, rescue_id
   FROM sandbox.machines WHERE server_id = $1`,
);

const all = statement<{
  server_id: string;
  node: string;
  generation: number;
  cores: number;
  memory: number;
  disk: number;
  power: WantedPower;
  powered_off: boolean;
  booted_at: Instant | null;
}>(
  'sandbox_machines',
  `SELECT server_id, node, generation, cores, memory, disk, power, powered_off, booted_at FROM sandbox.machines m
   WHERE host = $1 AND NOT EXISTS (SELECT FROM sandbox.outages o WHERE o.host = m.host AND o.node = m.node)
   ORDER BY server_id`,
);

// What is carried out already, and what cannot be, changes nothing; both are told apart by what comes back.
const setReboot = statement<{ power: WantedPower; reboots: number }>(
  'sandbox_reboot',
  `UPDATE sandbox.machines SET
     reboots = CASE WHEN power = 'stopped' THEN reboots ELSE greatest(reboots, $2) END,
     booted_at = CASE WHEN power <> 'stopped' AND reboots < $2 THEN $3::timestamptz ELSE booted_at END,
     power = CASE WHEN power <> 'stopped' AND reboots < $2 THEN 'running' ELSE power END
   WHERE server_id = $1 RETURNING power, reboots`,
);

const setLogin = statement<{ power: WantedPower }>(
  'sandbox_login',
  `UPDATE sandbox.machines SET
     login_hash = CASE WHEN password_revision < $2 THEN $3 ELSE login_hash END,
     password_revision = greatest(password_revision, $2)
   WHERE server_id = $1 RETURNING power`,
);

const setSize = statement<{ fits: boolean; power: WantedPower }>(
  'sandbox_size',
  `WITH machine AS (
     SELECT m.power, m.disk <= $4 AND (m.disk = $4 OR NOT EXISTS (
       SELECT FROM sandbox.disk_copies c WHERE c.server_id = m.server_id AND c.kind = 'snapshot')) AS fits
     FROM sandbox.machines m WHERE m.server_id = $1),
   changed AS (
     UPDATE sandbox.machines SET cores = $2, memory = $3, disk = $4, uplink = $5
     WHERE server_id = $1 AND (SELECT fits FROM machine))
   SELECT power, fits FROM machine`,
);

const setNetworkAccess = statement<object>(
  'sandbox_reach',
  'UPDATE sandbox.machines SET mail = $2, null_routed = $3::inet[] WHERE server_id = $1 RETURNING server_id',
);

const capacities = statement<{ node: string; disk: number | null; disk_free: number | null }>(
  'sandbox_nodes',
  `SELECT DISTINCT m.node, f.disk, f.disk_free
   FROM sandbox.machines m LEFT JOIN sandbox.full_nodes f ON f.host = m.host AND f.node = m.node
   WHERE m.host = $1 AND NOT EXISTS (SELECT FROM sandbox.outages o WHERE o.host = m.host AND o.node = m.node)
   ORDER BY m.node`,
);

// As large as any catalogue wants its nodes to be.
const NODE = { cores: 4096, memory: 16_777_216, disk: 1_048_576, diskFree: 1_048_576 };

const outages = statement<{ node: string }>(
  'sandbox_outages',
  'SELECT node FROM sandbox.outages WHERE host = $1 ORDER BY node',
);

/**
 * Machines that exist only as rows, made and changed at once: deterministic, and able to fail on request
 * (fault.ts). Any number of processes may share one.
 */
export class SandboxHypervisor implements Hypervisor {
  readonly #db: Executor;
  readonly #clock: Clock;
  readonly #wait: (ms: number) => Promise<void>;

  constructor({ db, clock, wait = sleep }: SandboxOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#wait = wait;
  }

  ensureMachine(wanted: WantedMachine): Promise<CommandOutcome<{ power: PowerState }>> {
    return this.#command('ensure_machine', wanted, async () => {
      const installed = await this.#db.run(install, [
        wanted.serverId,
        wanted.host,
        wanted.node,
        wanted.generation,
        wanted.hostname,
        wanted.image,
        wanted.username,
        wanted.password === null ? null : await hashLogin(wanted.username, wanted.password),
        wanted.userData === null ? null : sha256(wanted.userData),
        wanted.sshKeys,
        wanted.cores,
        wanted.memory,
        wanted.disk,
        wanted.uplink,
        wanted.ipv4.map((given) => given.address),
        wanted.ipv6.map((given) => given.network),
        wanted.power,
        this.#clock.now(),
      ]);
      if (installed.length === 0)
        await this.#db.run(setPower, [wanted.serverId, wanted.power, this.#clock.now()]);
      return { kind: 'done', result: { power: wanted.power } };
    });
  }

  ensurePower(machine: MachineRef, power: WantedPower): Promise<CommandOutcome<{ power: PowerState }>> {
    return this.#command('ensure_power', machine, async () => {
      const [changed] = await this.#db.run(setPower, [machine.serverId, power, this.#clock.now()]);
      return changed === undefined ? NO_MACHINE : { kind: 'done', result: { power: changed.power } };
    });
  }

  ensureShutdown(machine: MachineRef): Promise<CommandOutcome<{ power: PowerState }>> {
    return this.#command('ensure_shutdown', machine, async () => {
      const [changed] = await this.#db.run(setPower, [machine.serverId, 'stopped', this.#clock.now()]);
      return changed === undefined ? NO_MACHINE : { kind: 'done', result: { power: changed.power } };
    });
  }

  ensureRebooted(machine: MachineRef, reboot: number): Promise<CommandOutcome<{ power: PowerState }>> {
    return this.#command('ensure_rebooted', machine, async () => {
      const [changed] = await this.#db.run(setReboot, [machine.serverId, reboot, this.#clock.now()]);
      if (changed === undefined) return NO_MACHINE;
      if (changed.reboots < reboot) return { kind: 'refused', reason: 'the machine is off' };
      return { kind: 'done', result: { power: changed.power } };
    });
  }

  ensurePassword(
    machine: MachineRef,
    { username, password, revision, method }: WantedPassword,
  ): Promise<CommandOutcome<{ requiresReboot: boolean }>> {
    return this.#command('ensure_password', machine, async () => {
      const [row] = await this.#db.run(one, [machine.serverId]);
      if (row === undefined) return NO_MACHINE;
      if (method === 'guest_agent' && row.power !== 'running')
        return { kind: 'refused', reason: 'the machine is off' };
      const hash = await hashLogin(username, password);
      await this.#db.run(setLogin, [machine.serverId, revision, hash]);
      return { kind: 'done', result: { requiresReboot: method === 'cloud_init' && row.power !== 'stopped' } };
    });
  }

  ensureResized(
    machine: MachineRef,
    { cores, memory, disk, uplink }: WantedSize,
  ): Promise<CommandOutcome<{ requiresReboot: boolean }>> {
    return this.#command('ensure_resized', machine, async () => {
      const [row] = await this.#db.run(setSize, [machine.serverId, cores, memory, disk, uplink]);
      if (row === undefined) return NO_MACHINE;
      if (!row.fits) return { kind: 'refused', reason: 'disks only grow, and not with snapshots' };
      return { kind: 'done', result: { requiresReboot: false } };
    });
  }

  ensureNetworkAccess(
    machine: MachineRef,
    { mail, nullRouted }: NetworkAccess,
  ): Promise<CommandOutcome<null>> {
    return this.#command('ensure_reach', machine, async () => {
      const changed = await this.#db.run(setNetworkAccess, [machine.serverId, mail, nullRouted]);
      return changed.length === 0 ? NO_MACHINE : { kind: 'done', result: null };
    });
  }

  ensureFirewall(machine: MachineRef, wanted: WantedFirewall): Promise<CommandOutcome<null>> {
    return this.#command('ensure_firewall', machine, () => changeFirewall(this.#db, machine, wanted));
  }

  ensureMedium(
    machine: MachineRef,
    wanted: WantedMedium | null,
  ): Promise<CommandOutcome<{ requiresReboot: boolean }>> {
    return this.#command('ensure_medium', machine, () => changeMedium(this.#db, machine, wanted));
  }

  ensureRescue(machine: MachineRef, wanted: WantedRescue | null): Promise<CommandOutcome<null>> {
    return this.#command('ensure_rescue', machine, () => changeRescue(this.#db, machine, wanted));
  }

  ensureSnapshot(machine: MachineRef, id: string): ReturnType<Hypervisor['ensureSnapshot']> {
    return this.#command('ensure_snapshot', machine, async () => {
      const taken = await copyDisk(this.#db, copyOf(machine, 'snapshot', id), this.#clock.now());
      return taken === null ? NO_MACHINE : { kind: 'done', result: { takenAt: taken.takenAt } };
    });
  }

  ensureBackup(machine: MachineRef, id: string): Promise<CommandOutcome<{ sizeBytes: number }>> {
    return this.#command('ensure_backup', machine, async () => {
      const taken = await copyDisk(this.#db, copyOf(machine, 'backup', id), this.#clock.now());
      return taken === null ? NO_MACHINE : { kind: 'done', result: { sizeBytes: taken.sizeBytes } };
    });
  }

  ensureSnapshotAbsent(machine: MachineRef, id: string): Promise<CommandOutcome<null>> {
    return this.#command('ensure_snapshot', machine, () =>
      forgetCopy(this.#db, copyOf(machine, 'snapshot', id)),
    );
  }

  ensureBackupAbsent(machine: MachineRef, id: string): Promise<CommandOutcome<null>> {
    return this.#command('ensure_backup', machine, () => forgetCopy(this.#db, copyOf(machine, 'backup', id)));
  }

  ensureSnapshotRestored(machine: MachineRef, id: string, restoreId: string): Promise<CommandOutcome<null>> {
    return this.#command('ensure_restored', machine, () =>
      restoreCopy(this.#db, copyOf(machine, 'snapshot', id), restoreId),
    );
  }

  ensureBackupRestored(machine: MachineRef, id: string, restoreId: string): Promise<CommandOutcome<null>> {
    return this.#command('ensure_restored', machine, () =>
      restoreCopy(this.#db, copyOf(machine, 'backup', id), restoreId),
    );
  }

  ensureAbsent(machine: MachineRef): Promise<CommandOutcome<null>> {
    return this.#command('ensure_absent', machine, async () => {
      await this.#db.run(remove, [machine.serverId]);
      return { kind: 'done', result: null };
    });
  }

  status(machine: MachineRef, deadlineMs: number): Promise<MachineStatus | null> {
    return this.#query('status', machine, deadlineMs, async () => {
      const [row] = await this.#db.run(one, [machine.serverId]);
      if (row === undefined) return null;
      const { booted_at: bootedAt, ...rest } = row;
      return activityAt({ serverId: machine.serverId, bootedAt, ...rest }, this.#clock.now());
    });
  }

  hardware(machine: MachineRef, deadlineMs: number): Promise<MachineHardware | null> {
    return this.#query('status', machine, deadlineMs, async () => {
      const [row] = await this.#db.run(one, [machine.serverId]);
      return row === undefined ? null : hardwareOf(row);
    });
  }

  console(machine: MachineRef, deadlineMs: number): Promise<Console | null> {
    return this.#query('console', machine, deadlineMs, async () => {
      const [row] = await this.#db.run(one, [machine.serverId]);
      if (row === undefined || row.power === 'stopped') return null;
      const shown = row.rescue_id === null ? row.hostname : `rescue of ${row.hostname}`;
      return { stream: openScreen(shown), password: null };
    });
  }

  metrics(host: string, deadlineMs: number): Promise<HostMetrics> {
    return this.#query('metrics', { host, node: null, serverId: null }, deadlineMs, async () => {
      const [rows, out] = await Promise.all([this.#db.run(all, [host]), this.#db.run(outages, [host])]);
      const now = this.#clock.now();
      const machines = rows.map(({ server_id: serverId, booted_at: bootedAt, memory, disk, power }) =>
        metricsAt({ serverId, bootedAt, memory, disk, power }, now),
      );
      return { machines, unreachableNodes: out.map((row) => row.node) };
    });
  }

  capacity(host: string, deadlineMs: number): Promise<HostCapacity> {
    return this.#query('capacity', { host, node: null, serverId: null }, deadlineMs, async () => {
      const [rows, out] = await Promise.all([
        this.#db.run(capacities, [host]),
        this.#db.run(outages, [host]),
      ]);
      return {
        nodes: rows.map(({ node, disk, disk_free }) => ({
          node,
          ...NODE,
          ...(disk === null || disk_free === null ? {} : { disk, diskFree: disk_free }),
        })),
        unreachableNodes: out.map((row) => row.node),
      };
    });
  }

  /** Rows need nothing. */
  async ensureHost(host: string): Promise<{ readonly unreachableNodes: readonly string[] }> {
    const out = await this.#db.run(outages, [host]);
    return { unreachableNodes: out.map((row) => row.node) };
  }

  probe({ host, node }: { readonly host: string; readonly node: string }): Promise<string | null> {
    return this.#query(
      'probe',
      { host, node, serverId: null },
      Number.POSITIVE_INFINITY,
      async () => null,
    ).catch((error: unknown) => {
      if (error instanceof BackendUnavailable) return `${node} does not answer`;
      throw error;
    });
  }

  list(host: string): Promise<Inventory> {
    return this.#query('list', { host, node: null, serverId: null }, Number.POSITIVE_INFINITY, async () => {
      const [rows, out] = await Promise.all([this.#db.run(all, [host]), this.#db.run(outages, [host])]);
      const machines: FoundMachine[] = rows.map(
        ({ server_id: serverId, booted_at: _, powered_off: poweredOff, ...row }) => ({
          serverId,
          host,
          ...row,
          poweredOff,
        }),
      );
      return { machines, unreachableNodes: out.map((row) => row.node) };
    });
  }

  async #command<T>(
    command: SandboxCommand,
    scope: CallScope,
    effect: () => Promise<CommandOutcome<T>>,
  ): Promise<CommandOutcome<T>> {
    const fault = await takeFault(this.#db, command, scope);
    switch (fault?.fault) {
      case 'timeout_before':
        throw new BackendUnavailable('sandbox');
      case 'timeout_after':
        await effect();
        throw new BackendUnavailable('sandbox');
      case 'refuse':
        return { kind: 'refused', reason: 'the sandbox was told to refuse' };
      case 'pending':
        return { kind: 'pending', step: 'the sandbox was told to wait', progress: 0 };
      case 'repeat':
        await effect();
        return await effect();
      case 'slow':
        await this.#wait(fault.delayMs);
    }
    return await effect();
  }

  /** A question has no effect to repeat; whatever else goes wrong with it is an answer that does not come. */
  async #query<T>(
    command: SandboxCommand,
    scope: CallScope,
    deadlineMs: number,
    answer: () => Promise<T>,
  ): Promise<T> {
    const fault = await takeFault(this.#db, command, scope);
    if (fault?.fault === 'slow') {
      await this.#wait(Math.min(fault.delayMs, deadlineMs));
      if (fault.delayMs > deadlineMs) throw new BackendUnavailable('sandbox');
    } else if (fault !== null && fault.fault !== 'repeat') throw new BackendUnavailable('sandbox');
    return await answer();
  }
}

function copyOf({ serverId }: MachineRef, kind: DiskCopy['kind'], id: string): DiskCopy {
  return { serverId, kind, id };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
