import type { Instant } from '../base/time.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

/** Counts end here: a backlog of a million rows is as bad as one of so many, and costs no more to look at. */
export const COUNTED = 10_000;

/** What the operator has to know of the work that the database holds. Ages are in seconds, null when nothing waits. */
export interface OperatingState {
  /** Processes that said in the last thirty seconds that they run jobs. */
  readonly workers: number;
  readonly readyJobs: number;
  readonly oldestJob: number | null;
  readonly pendingOrders: number;
  readonly oldestOrder: number | null;
  readonly mailsWaiting: number;
  /** Of those that wait, tried before. */
  readonly mailsFailing: number;
  readonly oldestMail: number | null;
  readonly webhooksWaiting: number;
  /** Open differences between the books and the back ends. */
  readonly discrepancies: number;
  /** false: a standby, or a server that was set to read only. */
  readonly writable: boolean;
}

// Workers and jobs wait by the database's clock, everything else by the application's.
const read = statement<OperatingState>(
  'operating_state',
  `SELECT
     (SELECT count(DISTINCT (host, pid)) FROM worker_heartbeats WHERE seen_at > now() - interval '30 seconds')::int AS workers,
     jobs.n AS "readyJobs", jobs.oldest AS "oldestJob",
     orders.n AS "pendingOrders", orders.oldest AS "oldestOrder",
     mails.n AS "mailsWaiting", mails.failing AS "mailsFailing", mails.oldest AS "oldestMail",
     (SELECT count(*) FROM (SELECT FROM webhook_deliveries WHERE state = 'pending' LIMIT ${COUNTED}) w)::int AS "webhooksWaiting",
     (SELECT count(*) FROM (SELECT FROM discrepancies WHERE resolved_at IS NULL LIMIT ${COUNTED}) d)::int AS discrepancies,
     NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writable
   FROM
     (SELECT count(*)::int AS n, extract(epoch FROM now() - min(run_at))::float8 AS oldest FROM (
        SELECT run_at FROM graphile_worker.jobs
        WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= now() LIMIT ${COUNTED}) ready) jobs,
     (SELECT count(*)::int AS n, extract(epoch FROM $1::timestamptz - min(created_at))::float8 AS oldest FROM (
        SELECT created_at FROM orders WHERE state = 'pending' ORDER BY created_at LIMIT ${COUNTED}) pending) orders,
     (SELECT count(*)::int AS n, (count(*) FILTER (WHERE attempts > 0))::int AS failing,
        extract(epoch FROM $1::timestamptz - min(due_at))::float8 AS oldest FROM (
        SELECT attempts, due_at FROM mails WHERE state = 'queued' ORDER BY due_at LIMIT ${COUNTED}) queued) mails`,
);

/**
 * All of it in one round trip. Counts end at COUNTED, and the oldest job is that of the jobs counted. No index of the
 * queue's view tells ready jobs from others: jobs that wait for a later time or are dead are read on the way.
 */
export async function readOperatingState(db: Executor, now: Instant): Promise<OperatingState> {
  const [state] = await db.run(read, [now]);
  if (state === undefined) throw new Error('the database said nothing of its work');
  return state;
}
