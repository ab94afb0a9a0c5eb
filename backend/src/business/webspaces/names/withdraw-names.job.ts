import { z } from 'zod';
import { statement } from '../../../db/statement.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { bookJob } from '../../../work/job.ts';
import { bumpVersion } from '../../selling/subscriptions/version.ts';
import { convergeWebspace, WITHDRAW_NAMES } from '../webspace-jobs.ts';
import { withdrawNames } from './hostname.ts';

const find = statement<{ name: string; account_id: string }>(
  'find_left_domain',
  "SELECT name, account_id FROM services WHERE id = $1 AND product = 'domain'",
);

/** A domain is its customer's no more: names that their webspaces had by it alone are unproven again (rule H1). */
export default bookJob({
  name: WITHDRAW_NAMES,
  payload: z.object({ domain_id: z.uuid() }),
  async run(pool, ctx, { domain_id }) {
    const [domain] = await pool.run(find, [domain_id]);
    if (domain === undefined) return;
    await inUnitOfWork(pool, ctx.now, [domain.account_id], async (tx, uow) => {
      for (const id of await withdrawNames(tx, domain.name, domain.account_id)) {
        bumpVersion(uow, id);
        convergeWebspace(uow, id);
      }
    });
  },
});
