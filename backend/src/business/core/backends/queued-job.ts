import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { clearFaults } from '../../../work/job-fault.ts';

/** What a job in the queue is at. A dead one has used up its attempts: nothing runs it again by itself. */
export const JOB_STATES = ['waiting', 'running', 'dead'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A job in the queue, as operators see it. */
export interface QueuedJobRow {
  readonly id: bigint;
  readonly name: string;
  /** null: another has taken its place. */
  readonly key: string | null;
  readonly state: JobState;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly attempts: number;
  readonly max_attempts: number;
  /** When it is tried next, or was last. */
  readonly run_at: Instant;
  readonly created_at: Instant;
  /** Of its last run that failed. */
  readonly error: string | null;
}

/** What would never end without the job. */
export interface Hanging {
  readonly kind: 'order' | 'task';
  readonly id: string;
}

const COLUMNS = 'id, name, key, state, payload, attempts, max_attempts, run_at, created_at, error';
const FOUND = `FROM queued_jobs() WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR name = $2)`;

const list = (order: 'asc' | 'desc') =>
  statement<QueuedJobRow>(
    `list_queued_jobs_${order}`,
    `SELECT ${COLUMNS} ${FOUND} ORDER BY id ${order} LIMIT $3 OFFSET $4`,
  );
const listed = { asc: list('asc'), desc: list('desc') };
const count = statement<{ total: number }>('count_queued_jobs', `SELECT count(*)::int AS total ${FOUND}`);
const lock = statement<object>('lock_queued_job', 'SELECT lock_job($1)');
const read = statement<QueuedJobRow>('read_queued_job', `SELECT ${COLUMNS} FROM queued_jobs() WHERE id = $1`);
const retry = statement<{ done: boolean }>('retry_queued_job', 'SELECT retry_job($1) AS done');
const drop = statement<{ done: boolean }>('drop_dead_job', 'SELECT drop_dead_job($1) AS done');
const forget = statement<{ jobs: number }>(
  'forget_superseded_jobs',
  'SELECT forget_superseded_jobs() AS jobs',
);
// By the uuids in a payload: of the order, its service or its task, of a zone or a backup that a task is about.
const hanging = statement<Hanging>(
  'hanging_on_job',
  `WITH named AS (
     SELECT unnest($1::uuid[]) AS id
     UNION SELECT domain_id FROM zones WHERE id = ANY($1::uuid[]) AND domain_id IS NOT NULL
     UNION SELECT webspace_id FROM webspace_backups WHERE id = ANY($1::uuid[]))
   SELECT 'order' AS kind, o.id FROM orders o
     WHERE o.state = 'pending' AND (o.id IN (SELECT id FROM named) OR o.service_id IN (SELECT id FROM named))
   UNION ALL
   SELECT 'task', t.id FROM tasks t WHERE t.finished_at IS NULL
     AND (t.id IN (SELECT id FROM named) OR t.resource_id IN (SELECT id FROM named) OR t.order_id IN (SELECT id FROM named))
   ORDER BY 1, 2 LIMIT 1`,
);

/** The jobs in the queue, in the order that they came in, and how many there are. */
export async function listQueuedJobs(
  db: Executor,
  filter: { readonly state: JobState | null; readonly name: string | null },
  page: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
): Promise<{ readonly jobs: readonly QueuedJobRow[]; readonly total: number }> {
  const values = [filter.state, filter.name];
  const [jobs, [counted]] = await Promise.all([
    db.run(listed[page.order], [...values, page.limit, page.offset]),
    db.run(count, values),
  ]);
  return { jobs, total: counted?.total ?? 0 };
}

/** A job that no worker takes before the transaction is over; null: there is none of this number. */
export async function lockQueuedJob(tx: Transaction, id: number): Promise<QueuedJobRow | null> {
  await tx.run(lock, [id]);
  const [job] = await tx.run(read, [id]);
  return job ?? null;
}

/** Begins a locked job anew, with all its attempts, also one that was set aside; false: it runs. */
export async function retryJob(tx: Transaction, { id, name, key }: QueuedJobRow): Promise<boolean> {
  await clearFaults(tx, { name, key: key ?? String(id) });
  const [row] = await tx.run(retry, [id]);
  return row?.done === true;
}

/** Removes a locked job; false: it is not dead. */
export async function dropDeadJob(tx: Transaction, id: number): Promise<boolean> {
  const [row] = await tx.run(drop, [id]);
  return row?.done === true;
}

/** What waits for a job, by the identifiers that it carries; null: nothing does. */
export async function hangingOn(db: Executor, job: QueuedJobRow): Promise<Hanging | null> {
  const [found] = await db.run(hanging, [Object.values(identifiersOf(job))]);
  return found ?? null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The identifiers in a job's payload, by their names: nothing else of it is shown. */
export function identifiersOf({ payload }: QueuedJobRow): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(payload).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && UUID.test(entry[1]),
    ),
  );
}

/** Forgets what failed after another job had taken its place. How many those are. */
export async function forgetSupersededJobs(db: Executor): Promise<number> {
  const [row] = await db.run(forget, []);
  return row?.jobs ?? 0;
}
