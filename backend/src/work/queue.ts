import { statement } from '../db/statement.ts';
import type { Transaction } from '../db/transaction.ts';
import { PRIORITIES } from './priorities.generated.ts';
import { type Priority, priorityNumber, unhurried } from './priority.ts';

export interface QueuedJob {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** At most one job of this key waits. */
  readonly key: string;
  /** Otherwise than its definition says. */
  readonly priority?: Priority;
  /** Whose open tasks of the type that the job is named after put it behind the first jobs of others. */
  readonly account?: string;
}

const enqueueJobs = statement<object>(
  'enqueue_jobs',
  'SELECT enqueue_jobs($1::text[], $2::json[], $3::text[], $4::integer[], $5::uuid[])',
);

/**
 * Enqueues jobs in the caller's transaction: they exist if and only if what they work on exists. Each is run after the
 * commit, also when a job of its key has begun to run before. `instead` is the priority of what a person would wait for,
 * where none does.
 */
export async function enqueue(
  tx: Transaction,
  jobs: readonly QueuedJob[],
  instead?: 'bulk' | 'maintenance',
): Promise<void> {
  if (jobs.length === 0) return;
  await tx.run(enqueueJobs, [
    jobs.map((job) => job.name),
    jobs.map((job) => JSON.stringify(job.payload)),
    jobs.map((job) => job.key),
    jobs.map((job) => {
      const priority = job.priority ?? PRIORITIES.get(job.name) ?? 'interactive';
      return priorityNumber(instead === undefined ? priority : unhurried(priority, instead));
    }),
    jobs.map((job) => job.account ?? null),
  ]);
}
