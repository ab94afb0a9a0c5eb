import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { CONVERGE, domainJob } from '../domain-jobs.ts';

const AT_ONCE = 1000;

// Since the lock ended, nobody has brought the registration in line with the books.
const ended = statement<{ id: string }>(
  'ended_transfer_locks',
  `SELECT id FROM domains WHERE state = 'active' AND seen_at < transfer_lock_until AND transfer_lock_until <= $1
   ORDER BY transfer_lock_until LIMIT ${AT_ONCE}`,
);

/**
 * Takes the statuses off that kept domains from being transferred for some days, once those are over, unless their
 * customers want them.
 */
export default maintenanceJob({
  name: 'domain.lock_ends',
  schedule: '7 * * * *',
  async run(pool, ctx) {
    const domains = await pool.run(ended, [ctx.now]);
    if (domains.length === 0) return;
    await transaction(pool, (tx) =>
      enqueue(
        tx,
        domains.map(({ id }) => domainJob(CONVERGE, id)),
      ),
    );
  },
});
