import { randomUUIDv7 } from 'node:crypto';
import type { Sealer } from '../../../base/seal.ts';
import type { Instant } from '../../../base/time.ts';
import { type Bulk, bulkInsert } from '../../../db/changes.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { QueuedJob } from '../../../work/queue.ts';
import { queuedTask, type Task, taskInsert } from '../../core/tasks/task.ts';
import type { ServiceState } from '../../selling/subscriptions/service.ts';
import { NAME_TASK } from '../network/name-task.ts';
import type { Server } from '../server.ts';

/** In which states a server's machine is there, and its customer may work on it (rule E1). */
export const CHANGEABLE: readonly ServiceState[] = ['active', 'cancel_scheduled'];

/** In which of them work that has begun goes on although the server is off: it may be on again. */
export const LASTING: readonly ServiceState[] = [...CHANGEABLE, 'suspended', 'expired'];

export const CHANGE_PURPOSE = 'server-change';

/** Work on a server's machine that is to begin. */
export interface ChangeDraft {
  /** The type of its task, and the name of the job that does it (change-job.ts): `server.power`. */
  readonly type: string;
  /** What the machine is to become, as the job reads it. Without secrets: operators see it. */
  readonly wanted: Readonly<Record<string, unknown>>;
  /** Kept sealed while the work goes on, then forgotten. */
  readonly secret?: string;
  /** When to stop waiting for the system in the machine; the job is then told that it `isDue`. */
  readonly dueAt?: Instant;
}

const changeInsert = bulkInsert<{
  server_id: string;
  task_id: string;
  wanted: string;
  secret_sealed: Buffer | null;
  due_at: Instant | null;
}>('server_changes', {
  server_id: 'uuid',
  task_id: 'uuid',
  wanted: 'jsonb',
  secret_sealed: 'bytea',
  due_at: 'timestamptz',
});

const changeEnd: Bulk<{ server_id: string }> = {
  name: '-server_changes',
  columns: { server_id: 'uuid' },
  sql: (rows) => `DELETE FROM server_changes USING ${rows} n WHERE server_changes.server_id = n.server_id`,
  key: ({ server_id }) => server_id,
};

// What is about the names of its addresses leaves its machine alone.
const working = statement<Pick<Task, 'id' | 'type'>>(
  'work_on_server',
  'SELECT id, type FROM tasks WHERE resource_id = $1 AND type <> $2 AND finished_at IS NULL LIMIT 1',
);

export function changeJobOf(type: string, serverId: string): QueuedJob {
  return { name: type, payload: { server_id: serverId }, key: `${type}:${serverId}` };
}

/** The work on a server that is queued or under way, of any kind; null: none, so that other may begin. */
export async function workOn(
  tx: Transaction,
  server: Pick<Server, 'id'>,
): Promise<Pick<Task, 'id' | 'type'> | null> {
  const [task] = await tx.run(working, [server.id, NAME_TASK]);
  return task ?? null;
}

/**
 * Begins work on a server whose service is locked and that nothing else works on: adds its task and its job. What the
 * books say of the server changes when the machine has followed. Answers the task, as the wire shows it.
 */
export function beginChange(
  uow: UnitOfWork,
  sealer: Sealer,
  server: Pick<Server, 'id' | 'account_id'>,
  { type, wanted, secret, dueAt }: ChangeDraft,
) {
  const taskId = randomUUIDv7();
  uow.changes.add(taskInsert, {
    id: taskId,
    account_id: server.account_id,
    type,
    state: 'queued',
    resource_type: 'server',
    resource_id: server.id,
    order_id: null,
    created_at: uow.now,
  });
  uow.changes.add(changeInsert, {
    server_id: server.id,
    task_id: taskId,
    wanted: JSON.stringify(wanted),
    secret_sealed: secret === undefined ? null : sealer.seal(CHANGE_PURPOSE, secret),
    due_at: dueAt ?? null,
  });
  uow.jobs.push({ ...changeJobOf(type, server.id), account: server.account_id });
  return queuedTask(taskId, type, { type: 'server', uuid: server.id }, uow.now);
}

/** Forgets what was to be done, with its secrets. */
export function endChange(uow: UnitOfWork, serverId: string): void {
  uow.changes.add(changeEnd, { server_id: serverId });
}
