import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../base/time.ts';
import { bulkInsert } from '../../db/changes.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import { type TaskRef, type TaskState, taskInsert } from '../core/tasks/task.ts';

/** The job that makes an archive, and the type of its task. */
export const EXPORT = 'account.export';
const KEPT_DAYS = 7;
/** What has not come to an end by then will not: its job is given up. */
export const GIVEN_UP_HOURS = 24;

/** A signed archive of everything that an account has here. */
export interface Export {
  readonly id: string;
  readonly account_id: string;
  readonly task_id: string;
  readonly task_state: TaskState;
  /** What names the parts of the archive; with `size` and `sha256` null until it is there. */
  readonly content_id: string | null;
  readonly size: bigint | null;
  readonly sha256: Buffer | null;
  readonly created_at: Instant;
  readonly expires_at: Instant;
}

const COLUMNS = `x.id, x.account_id, x.task_id, t.state AS task_state, x.content_id, x.size, x.sha256, x.created_at,
  x.expires_at FROM exports x JOIN tasks t ON t.id = x.task_id`;
const load = statement<Export>('load_export', `SELECT ${COLUMNS} WHERE x.id = $1`);
const loadKept = statement<Export>(
  'load_kept_exports',
  `SELECT ${COLUMNS} WHERE x.account_id = $1 AND x.expires_at > $2 ORDER BY x.created_at DESC, x.id DESC LIMIT 100`,
);

export async function exportOf(db: Executor, id: string): Promise<Export | null> {
  return (await db.run(load, [id]))[0] ?? null;
}

/** The account's exports that have not expired, the newest first. */
export function keptExports(db: Executor, accountId: string, now: Instant): Promise<Export[]> {
  return db.run(loadKept, [accountId, now]);
}

export function taskOf(found: Export): TaskRef {
  return {
    id: found.task_id,
    accountId: found.account_id,
    type: EXPORT,
    resource: { type: 'account', id: found.account_id },
  };
}

/** The export that is being made of an account, which must be locked; or null. */
export async function exportUnderWay(
  tx: Transaction,
  accountId: string,
  now: Instant,
): Promise<Export | null> {
  const since = now.subtract({ hours: GIVEN_UP_HOURS });
  const kept = await keptExports(tx, accountId, now);
  const underWay = (one: Export) => one.task_state === 'queued' || one.task_state === 'running';
  return kept.find((one) => underWay(one) && Temporal.Instant.compare(one.created_at, since) > 0) ?? null;
}

const exportInsert = bulkInsert<{
  id: string;
  account_id: string;
  task_id: string;
  created_at: Instant;
  expires_at: Instant;
}>('exports', {
  id: 'uuid',
  account_id: 'uuid',
  task_id: 'uuid',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
});

/** Has an archive made; the uuid of its task. */
export function requestExport(uow: UnitOfWork, accountId: string): string {
  const [id, taskId] = [randomUUIDv7(), randomUUIDv7()];
  uow.changes.add(taskInsert, {
    id: taskId,
    account_id: accountId,
    type: EXPORT,
    state: 'queued',
    resource_type: 'account',
    resource_id: accountId,
    order_id: null,
    created_at: uow.now,
  });
  uow.changes.add(exportInsert, {
    id,
    account_id: accountId,
    task_id: taskId,
    created_at: uow.now,
    expires_at: uow.now.add({ hours: KEPT_DAYS * 24 }),
  });
  uow.jobs.push({ name: EXPORT, payload: { export_id: id }, key: `${EXPORT}:${id}` });
  return taskId;
}
