import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** Why a command had no outcome, for the customer who waits for it. */
export type Trouble = 'no_answer' | 'unexpected';

/** What one run of a job could not do. */
export interface Failure {
  /** null: its job names no back end. */
  readonly backend: string | null;
  readonly job: string;
  readonly payload: unknown;
  readonly reason: string;
  readonly trouble: Trouble;
  /** The tasks that customers watch. */
  readonly tasks: readonly string[];
}

const readState = statement<{ safe: boolean; failing: boolean }>(
  'read_command_state',
  `SELECT EXISTS (SELECT FROM settings WHERE name = 'safe_mode' AND value = 'true'::jsonb) AS safe,
     EXISTS (SELECT FROM failing_backends WHERE name = $1) AS failing`,
);
// Rows change when something new is wrong, not at each attempt.
const note = statement<object>(
  'note_failure',
  `WITH backend AS (
     INSERT INTO failing_backends (name, reason, since, probe_at)
     SELECT $1::text, $4, $7::timestamptz, $7::timestamptz + interval '5 seconds' WHERE $1 IS NOT NULL ON CONFLICT DO NOTHING),
   job AS (
     INSERT INTO failing_jobs (backend, name, payload) SELECT $1::text, $2, $3::jsonb WHERE $1 IS NOT NULL
     ON CONFLICT DO NOTHING)
   UPDATE tasks SET trouble = $5 WHERE id = ANY($6::uuid[]) AND finished_at IS NULL AND trouble IS DISTINCT FROM $5`,
);
const clear = statement<object>(
  'clear_trouble',
  'UPDATE tasks SET trouble = NULL WHERE id = ANY($1::uuid[]) AND trouble IS NOT NULL',
);
const hurry = statement<{ jobs: number }>('hurry_jobs', 'SELECT hurry_jobs($1) AS jobs');
const forgetJob = statement<object>(
  'forget_failing_job',
  'DELETE FROM failing_jobs WHERE backend = $1 AND name = $2 AND payload = $3::jsonb',
);
const forget = statement<object>(
  'forget_failing_backend',
  `DELETE FROM failing_backends b WHERE name = $1 AND NOT EXISTS (SELECT FROM failing_jobs j WHERE j.backend = b.name)`,
);
const list = statement<FailingBackend>(
  'list_failing_backends',
  `SELECT b.name, b.reason, b.since, count(j.name)::int AS jobs
   FROM failing_backends b LEFT JOIN failing_jobs j ON j.backend = b.name GROUP BY b.name ORDER BY b.name`,
);
// The delay between two probes doubles up to a minute.
const claimDue = statement<{ name: string; waiting: boolean }>(
  'claim_failing_backends',
  `UPDATE failing_backends b SET probes = probes + 1,
     probe_at = $1::timestamptz + least(60, 5 * 2 ^ least(probes, 4)) * interval '1 second'
   WHERE name IN (SELECT name FROM failing_backends WHERE probe_at <= $1 ORDER BY name FOR UPDATE SKIP LOCKED)
   RETURNING name, EXISTS (SELECT FROM failing_jobs j WHERE j.backend = b.name) AS waiting`,
);
const cap = statement<{ jobs: number }>('cap_job_delay', 'SELECT cap_job_delay($1) AS jobs');

/** A back end that did not do what it was told, since when, and how many jobs wait for it. */
export interface FailingBackend {
  readonly name: string;
  readonly reason: string;
  readonly since: Instant;
  readonly jobs: number;
}

/** What a command has to know before it is given: whether any may be, and whether its back end failed lately. */
export async function commandState(
  db: Executor,
  backend: string | null,
): Promise<{ readonly safe: boolean; readonly failing: boolean }> {
  const [row] = await db.run(readState, [backend]);
  return row ?? { safe: false, failing: false };
}

/** Keeps what went wrong: for the customers who wait, and so that the job is tried again once its back end answers. */
export async function noteFailure(db: Executor, failure: Failure, now: Instant): Promise<void> {
  const { backend, job, payload, reason, trouble, tasks } = failure;
  await db.run(note, [backend, job, JSON.stringify(payload), reason, trouble, tasks, now]);
}

/** The work goes on as it should: its tasks say nothing of what was wrong before. */
export async function clearTrouble(db: Executor, tasks: readonly string[]): Promise<void> {
  if (tasks.length > 0) await db.run(clear, [tasks]);
}

/** A job's command had an outcome: what else waits for its back end is tried at once. How many jobs that are. */
export async function backendRecovered(
  db: Executor,
  { backend, job, payload }: { readonly backend: string; readonly job: string; readonly payload: unknown },
): Promise<number> {
  await db.run(forgetJob, [backend, job, JSON.stringify(payload)]);
  const jobs = await hurryJobs(db, backend);
  await db.run(forget, [backend]);
  return jobs;
}

/** Tries at once what waits for a back end, whether or not it is known to answer. How many jobs that are. */
export async function hurryJobs(db: Executor, backend: string): Promise<number> {
  const [row] = await db.run(hurry, [backend]);
  return row?.jobs ?? 0;
}

/** Nothing waits for it any more. */
export async function forgetFailingBackend(db: Executor, backend: string): Promise<void> {
  await db.run(forget, [backend]);
}

export function failingBackends(db: Executor): Promise<FailingBackend[]> {
  return db.run(list, []);
}

/** The back ends that are to be asked now whether they answer; no other process asks them for some time. */
export function claimFailingBackends(
  db: Executor,
  now: Instant,
): Promise<{ name: string; waiting: boolean }[]> {
  return db.run(claimDue, [now]);
}

/** Brings jobs forward that failed and whose next attempt is further away than this. How many those are. */
export async function capBackoff(db: Executor, seconds: number): Promise<number> {
  const [row] = await db.run(cap, [seconds]);
  return row?.jobs ?? 0;
}
