import { z } from 'zod';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { MachineRef } from '../../../drivers/hypervisor/port.ts';
import type { CommandOutcome } from '../../../drivers/outcome.ts';
import type { CommandPorts } from '../../../drivers/ports.ts';
import type { ErrorCode } from '../../../errors.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { commandJob, type Job, type JobContext } from '../../../work/job.ts';
import { cancelTask, finishTask, type TaskRef } from '../../core/tasks/task.ts';
import { GIVEN_UP } from '../../selling/orders/hold.ts';
import type { ServiceState } from '../../selling/subscriptions/service.ts';
import { convergeServer, hypervisorOf } from '../machine/convergence.ts';
import { SERVER_COLUMNS, type Server } from '../server.ts';
import { CHANGE_PURPOSE, CHANGEABLE, endChange } from './change.ts';

/** Work on a server, as its job does it. */
export interface Changing<Wanted> {
  readonly server: Server;
  readonly machine: MachineRef;
  readonly wanted: Wanted;
  readonly secret: string | null;
  /** Whether it has waited long enough for the system in the machine. */
  readonly isDue: boolean;
  /** Whether a run before this one may have done some of it already. */
  readonly isBegun: boolean;
  readonly task: TaskRef;
}

type FinishContext = JobContext & { readonly uow: UnitOfWork };

interface ChangeJob<W extends z.ZodType, Result> {
  /** The type of the tasks that it finishes. */
  readonly name: string;
  /** What `beginChange` was given as `wanted`. */
  readonly wanted: W;
  /** States of the server in which it is still done, once it began; those in which a customer may begin it, unless said. */
  readonly goesOnIn?: readonly ServiceState[];
  /** Phrased as the wanted state: it runs again whenever its outcome is not known. */
  command(
    ports: CommandPorts,
    change: Changing<z.output<W>>,
    ctx: JobContext,
  ): Promise<CommandOutcome<Result>>;
  /** Of a server that is off by now: what a run before this one did, whose outcome nobody heard; null: nothing (rule E3). */
  lookUp?(ports: CommandPorts, change: Changing<z.output<W>>): Promise<Result | null>;
  /** Writes what has become true, once, with the account and the service locked; `change.server` is as it is now. */
  done(
    tx: Transaction,
    ctx: FinishContext,
    change: Changing<z.output<W>>,
    result: Result,
  ): Promise<void> | void;
  /** Takes back what was written when it began; what the task fails with, where that is not `backend_error`. */
  refused?(
    tx: Transaction,
    ctx: FinishContext,
    change: Changing<z.output<W>>,
    reason: string,
  ): Promise<ErrorCode | undefined> | ErrorCode | undefined;
}

type ChangeRow = Server & {
  readonly task_id: string;
  readonly task_type: string;
  readonly task_state: string;
  readonly wanted: unknown;
  readonly secret_sealed: Buffer | null;
  readonly due_at: Temporal.Instant | null;
  readonly given_up_at: Temporal.Instant | null;
};

const COLUMNS = `${SERVER_COLUMNS}, c.task_id, t.type AS task_type, t.state AS task_state, c.wanted, c.secret_sealed,
    c.due_at, c.given_up_at
  FROM server_changes c JOIN tasks t ON t.id = c.task_id JOIN servers v ON v.id = c.server_id
  JOIN services s ON s.id = v.id WHERE c.server_id = $1 AND t.type = $2`;
const load = statement<ChangeRow>('load_server_change', `SELECT ${COLUMNS}`);
const lock = statement<ChangeRow>('lock_server_change', `SELECT ${COLUMNS} FOR UPDATE OF s`);
const begin = statement<object>(
  'begin_server_change',
  "UPDATE tasks SET state = 'running', started_at = $2 WHERE id = $1 AND state = 'queued'",
);

/** Refusals for which nobody asked the hypervisor: a run before may have done it. */
export const OFF = 'the server is off';

/**
 * A job that does what `beginChange` began. Whoever comes second, after a crash or beside a worker that was thought
 * dead, finds nothing to do. A server that was switched off, or ended, meanwhile is made what the books say.
 */
export function changeJob<W extends z.ZodType, Result>(definition: ChangeJob<W, Result>): Job {
  const { name, wanted: schema, goesOnIn = CHANGEABLE } = definition;

  function changing(
    row: ChangeRow,
    ctx: JobContext,
    isBegun: boolean,
  ): Changing<z.output<W>> & { isGivenUp: boolean } {
    const { id, host, node, account_id: accountId, secret_sealed: sealed, due_at: dueAt } = row;
    return {
      server: row,
      machine: { serverId: id, host, node },
      wanted: schema.parse(row.wanted),
      secret: sealed === null ? null : ctx.sealer.openText(CHANGE_PURPOSE, sealed),
      isDue: dueAt !== null && Temporal.Instant.compare(ctx.now, dueAt) >= 0,
      isBegun,
      task: { id: row.task_id, accountId, type: name, resource: { type: 'server', id } },
      isGivenUp: row.given_up_at !== null,
    };
  }

  return commandJob({
    name,
    payload: z.object({ server_id: z.uuid() }),
    async load(db, ctx, { server_id }) {
      const [row] = await db.run(load, [server_id, name]);
      if (row === undefined) return null;
      const isBegun = row.task_state !== 'queued';
      if (!isBegun) await db.run(begin, [row.task_id, ctx.now]);
      return changing(row, ctx, isBegun);
    },
    async command(ports, change, ctx): Promise<CommandOutcome<Result>> {
      if (change.isGivenUp) return { kind: 'refused', reason: GIVEN_UP };
      if (goesOnIn.includes(change.server.state)) return await definition.command(ports, change, ctx);
      // Whatever was done to a machine that is to go: its end does not wait for a hypervisor that may never answer.
      if (change.server.state === 'deleted') return { kind: 'refused', reason: OFF };
      const result = (await definition.lookUp?.(ports, change)) ?? null;
      return result === null ? { kind: 'refused', reason: OFF } : { kind: 'done', result };
    },
    backend: ({ machine }) => hypervisorOf(machine),
    about: ({ machine, task }) => ({ service_id: machine.serverId, tasks: [task.id] }),
    accounts: ({ task }) => [task.accountId],
    async finish(tx, ctx, { task, isBegun }, outcome) {
      const { uow, log } = ctx;
      const id = task.resource.id;
      const [row] = await tx.run(lock, [id, name]);
      // Finished by another, who may have begun the next already.
      if (row === undefined || row.task_id !== task.id) return;
      const change = changing(row, ctx, isBegun);
      endChange(uow, id);
      // What this did to the machine may be other than what the books want of it by now.
      if (change.isGivenUp || !CHANGEABLE.includes(row.state)) convergeServer(uow, id);
      if (outcome.kind === 'done') {
        await definition.done(tx, ctx, change, outcome.result);
        finishTask(uow, task, null);
        return;
      }
      const { reason } = outcome;
      log.warn(
        { server: id, task: task.id, reason },
        'a hypervisor refused what was to be done with a server',
      );
      const error = await definition.refused?.(tx, ctx, change, reason);
      if (!change.isGivenUp && goesOnIn.includes(row.state))
        finishTask(uow, task, error ?? 'backend_error', reason);
      else cancelTask(uow, task, change.isGivenUp ? 'abandoned' : null);
    },
  });
}
