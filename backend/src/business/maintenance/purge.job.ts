import { forgetCommitMarkers } from '../../db/commit-marker.ts';
import { statement } from '../../db/statement.ts';
import { maintenanceJob } from '../../work/job.ts';

/** Answers to repeated keys are kept for at least a day (rule A6). */
const KEY_HOURS = 24;
/** What was mailed can be looked up for a while; its cause is then forgotten too. */
const MAIL_HOURS = 90 * 24;
/** What was sent to webhooks; none of it waits so long. */
const DELIVERY_HOURS = 30 * 24;
const BATCH = 5_000;

const purges = [
  purge('idempotency_keys', 'created_at'),
  purge('quotes', 'valid_until'),
  purge('rate_windows', 'window_start'),
  purge('attempts', 'window_start'),
  purge('mailed_links', 'expires_at'),
  purge('exports', 'expires_at'),
  purge('console_tickets', 'expires_at'),
  purge('mails', 'created_at', MAIL_HOURS),
  purge('webhook_deliveries', 'created_at', DELIVERY_HOURS),
];

function purge(table: string, column: string, hours = KEY_HOURS) {
  const remove = statement<{ one: number }>(
    `purge_${table}`,
    `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${column} < $1 LIMIT ${BATCH}) RETURNING 1 AS one`,
  );
  return { remove, hours };
}

export default maintenanceJob({
  name: 'upkeep.purge',
  schedule: '*/10 * * * *',
  async run(pool, { now }) {
    for (const { remove, hours } of purges) {
      const before = now.subtract({ hours });
      // In batches, so that no transaction grows with what has piled up.
      while ((await pool.run(remove, [before])).length === BATCH);
    }
    await forgetCommitMarkers(pool);
  },
});
