import { sha256 } from '../../../base/canonical.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { BackendUnavailable, type CommandOutcome } from '../../outcome.ts';
import type {
  FoundMachine,
  Hypervisor,
  Inventory,
  MachineRef,
  MachineStatus,
  PowerState,
  WantedMachine,
  WantedPower,
} from '../port.ts';
import { activityAt } from './activity.ts';
import { type CallScope, type SandboxCommand, takeFault } from './fault.ts';
import { hashLogin } from './password.ts';

export interface SandboxOptions {
  /** A pool of the sandbox's own: each of its statements commits by itself, as another system's would. */
  readonly db: Executor;
  readonly clock: Clock;
  /** How a slow call passes its time. */
  readonly wait?: (ms: number) => Promise<void>;
}

const REINSTALLED = `generation = excluded.generation, installs = m.installs + 1, files = '{}',
  hostname = excluded.hostname, image = excluded.image, username = excluded.username,
  login_hash = excluded.login_hash, user_data_digest = excluded.user_data_digest,
  ssh_keys = excluded.ssh_keys, power = excluded.power, booted_at = excluded.booted_at`;

// No row comes back where the machine is there already, of this generation or a later one.
const install = statement<{ server_id: string }>(
  'sandbox_install',
  `INSERT INTO sandbox.machines AS m (server_id, host, node, generation, hostname, image, username,
     login_hash, user_data_digest, ssh_keys, cores, memory, disk, uplink, ipv4, ipv6, power, booted_at, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::inet[], $16::inet[], $17,
     CASE WHEN $17 = 'stopped' THEN NULL ELSE $18::timestamptz END, $18)
   ON CONFLICT (server_id) DO UPDATE SET ${REINSTALLED} WHERE m.generation < excluded.generation
   RETURNING server_id`,
);

const setPower = statement<{ power: WantedPower }>(
  'sandbox_power',
  `UPDATE sandbox.machines SET power = $2,
     booted_at = CASE WHEN $2 = 'stopped' THEN NULL ELSE coalesce(booted_at, $3::timestamptz) END
   WHERE server_id = $1 RETURNING power`,
);

const remove = statement<object>('sandbox_remove', 'DELETE FROM sandbox.machines WHERE server_id = $1');

const one = statement<{ memory: number; disk: number; power: WantedPower; booted_at: Instant | null }>(
  'sandbox_machine',
  'SELECT memory, disk, power, booted_at FROM sandbox.machines WHERE server_id = $1',
);

const all = statement<{
  server_id: string;
  node: string;
  generation: number;
  cores: number;
  memory: number;
  disk: number;
  power: WantedPower;
}>(
  'sandbox_machines',
  `SELECT server_id, node, generation, cores, memory, disk, power FROM sandbox.machines m
   WHERE host = $1 AND NOT EXISTS (SELECT FROM sandbox.outages o WHERE o.host = m.host AND o.node = m.node)
   ORDER BY server_id`,
);

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
      if (changed === undefined) return { kind: 'refused', reason: 'there is no such machine' };
      return { kind: 'done', result: { power: changed.power } };
    });
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

  list(host: string): Promise<Inventory> {
    return this.#query('list', { host, node: null, serverId: null }, Number.POSITIVE_INFINITY, async () => {
      const [rows, out] = await Promise.all([this.#db.run(all, [host]), this.#db.run(outages, [host])]);
      const machines: FoundMachine[] = rows.map(({ server_id: serverId, ...row }) => ({
        serverId,
        host,
        ...row,
      }));
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

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
