import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { AUTHCODE, domainJob } from '../domain-jobs.ts';

const AT_ONCE = 1000;

// A registry that refuses for now is asked again in ten minutes.
const over = statement<{ id: string }>(
  'ended_authcodes',
  `SELECT id FROM domains WHERE authcode_expires_at <= $1 AND state = 'active' ORDER BY authcode_expires_at LIMIT ${AT_ONCE}`,
);

/** Has codes cleared at their registries whose time is over (rule F2). */
export default maintenanceJob({
  name: 'domain.authcode_ends',
  schedule: '*/10 * * * *',
  async run(pool, ctx) {
    const domains = await pool.run(over, [ctx.now]);
    if (domains.length === 0) return;
    await transaction(pool, (tx) =>
      enqueue(
        tx,
        domains.map(({ id }) => domainJob(AUTHCODE, id)),
      ),
    );
  },
});
