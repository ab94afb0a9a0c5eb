import { statement } from '../../../db/statement.ts';
import { upkeepJob } from '../../../work/job.ts';

/** Answers to repeated keys are kept for at least a day (rule A6). */
const KEY_HOURS = 24;
const BATCH = 5_000;

const purges = [
  purge('idempotency_keys', 'created_at'),
  purge('quotes', 'valid_until'),
  purge('rate_windows', 'window_start'),
  purge('attempts', 'window_start'),
];

function purge(table: string, column: string) {
  return statement<{ one: number }>(
    `purge_${table}`,
    `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${column} < $1 LIMIT ${BATCH}) RETURNING 1 AS one`,
  );
}

export default upkeepJob({
  name: 'upkeep.purge',
  schedule: '*/10 * * * *',
  async run(pool, { now }) {
    const before = now.subtract({ hours: KEY_HOURS });
    for (const statement of purges) {
      // In batches, so that no transaction grows with what has piled up.
      while ((await pool.run(statement, [before])).length === BATCH);
    }
  },
});
