import { statement } from '../db/statement.ts';
import type { Transaction } from '../db/transaction.ts';

export interface QueuedJob {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** At most one job of this key waits. */
  readonly key: string;
}

const enqueueJobs = statement<object>(
  'enqueue_jobs',
  'SELECT enqueue_jobs($1::text[], $2::json[], $3::text[])',
);

/**
 * Enqueues jobs in the caller's transaction: they exist if and only if what they work on exists. Each is run after the
 * commit, also when a job of its key has begun to run before.
 */
export async function enqueue(tx: Transaction, jobs: readonly QueuedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await tx.run(enqueueJobs, [
    jobs.map((job) => job.name),
    jobs.map((job) => JSON.stringify(job.payload)),
    jobs.map((job) => job.key),
  ]);
}
