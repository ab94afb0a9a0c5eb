import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Harness, NO_WORK } from '../harness.ts';
import type { Cases, Prepare } from './case.ts';

const GONE = 9_007_199_254_740_000;

/** A job in the queue, which is its owner's alone: dead, or running for ever. */
const job =
  (state: 'dead' | 'running'): Prepare =>
  async (harness: Harness) => {
    const owner = new pg.Client({ connectionString: harness.installation.directUrl });
    await owner.connect();
    try {
      const { rows } = await owner.query<{ id: number }>(
        `SELECT id::int AS id FROM graphile_worker.add_job($2, job_key => $1, run_at => now() + interval '1 day')`,
        [randomUUID(), NO_WORK],
      );
      const id = rows[0]?.id ?? 0;
      await owner.query(
        state === 'dead'
          ? 'UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE id = $1'
          : "UPDATE graphile_worker._private_jobs SET locked_at = now() + interval '1 day', locked_by = 'test' WHERE id = $1",
        [id],
      );
      return { as: await harness.operator(), input: { id } };
    } finally {
      await owner.end();
    }
  };

const unknown: Prepare = async (harness) => ({ as: await harness.operator(), input: { id: GONE } });

/** What operators do to the queue. */
export const staffJobCases: Cases = {
  'staff/jobs': {
    succeeds: async (harness) => ({ as: await harness.operator(), input: { state: 'dead' } }),
    refuses: {
      validation_failed: async (harness) => ({ as: await harness.operator(), input: { page: 1_000_000 } }),
    },
  },
  'staff/job-retry': {
    succeeds: job('dead'),
    refuses: { not_found: unknown, state_conflict: job('running') },
  },
  'staff/job-drop': {
    succeeds: job('dead'),
    refuses: { not_found: unknown, state_conflict: job('running') },
  },
};
