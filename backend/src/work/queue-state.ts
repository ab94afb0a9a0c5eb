import type { Instant } from '../base/time.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

/** What is in the queue, by the database's own clock, which is the one that jobs wait by. */
export interface QueueState {
  /** By job name, of those that have any. */
  readonly queueDepths: readonly QueueDepth[];
  /** Jobs that used up their attempts and have no successor: nothing runs them again by itself. */
  readonly deadJobs: number;
  /** When the scheduler last enqueued a job; null when it never did. */
  readonly lastCronRun: Instant | null;
  /** How long ago that was by the database's clock, in seconds: negative when a wrong clock wrote it. */
  readonly lastCronRunAge: number | null;
}

export interface QueueDepth {
  readonly job: string;
  /** Could run now. */
  readonly ready: number;
  /** Wait for a later time: for the next try, mostly. */
  readonly later: number;
  readonly running: number;
  /** Used up their attempts. */
  readonly dead: number;
}

/** Jobs are counted up to here: a longer queue is as bad, and costs no more to look at. */
const COUNTED = 100_000;

const depths = statement<QueueDepth>(
  'queue_depths',
  `SELECT task_identifier AS job,
          (count(*) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= now()))::int AS ready,
          (count(*) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts AND run_at > now()))::int AS later,
          (count(*) FILTER (WHERE locked_at IS NOT NULL))::int AS running,
          (count(*) FILTER (WHERE locked_at IS NULL AND attempts >= max_attempts AND key IS NOT NULL))::int AS dead
   FROM (SELECT * FROM graphile_worker.jobs LIMIT ${COUNTED}) counted GROUP BY task_identifier ORDER BY task_identifier`,
);

const schedule = statement<{ last: Instant | null; age: number | null }>(
  'queue_schedule',
  `SELECT c.last, extract(epoch FROM now() - c.last)::float8 AS age
   FROM (SELECT (SELECT max(last_minute) FROM schedules) AS last) c`,
);

/** Two statements, sent together. The first counts what waits: ask it every few seconds, not per request. */
export async function queueState(db: Executor): Promise<QueueState> {
  const [rows, [last]] = await Promise.all([db.run(depths, []), db.run(schedule, [])]);
  return {
    queueDepths: rows,
    deadJobs: rows.reduce((sum, row) => sum + row.dead, 0),
    lastCronRun: last?.last ?? null,
    lastCronRunAge: last?.age ?? null,
  };
}
