import { statement } from '../db/statement.ts';
import type { Transaction } from '../db/transaction.ts';

export interface QueuedJob {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** At most one job of this key waits. */
  readonly key: string;
}

const addJobs = statement<{ count: number }>(
  'add_jobs',
  `SELECT count(*)::int AS count FROM graphile_worker.add_jobs(ARRAY(
     SELECT (name, payload, NULL, NULL, NULL, key, NULL, NULL)::graphile_worker.job_spec
     FROM unnest($1::text[], $2::json[], $3::text[]) u(name, payload, key)))`,
);

/** Enqueues jobs in the caller's transaction: they exist if and only if what they work on exists. */
export async function enqueue(tx: Transaction, jobs: readonly QueuedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await tx.run(addJobs, [
    jobs.map((job) => job.name),
    jobs.map((job) => JSON.stringify(job.payload)),
    jobs.map((job) => job.key),
  ]);
}
