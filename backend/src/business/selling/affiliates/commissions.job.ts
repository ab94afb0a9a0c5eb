import { maintenanceJob } from '../../../work/job.ts';
import { earnCommissions } from './earn.ts';
import { owedAffiliates, payAffiliate } from './payout.ts';
import { followRefunds } from './refunded.ts';

export default maintenanceJob({
  name: 'affiliate.commissions',
  schedule: '*/5 * * * *',
  async run(pool, { now, catalogs, log }) {
    await earnCommissions(pool, catalogs);
    await followRefunds(pool);
    for (const affiliate of await owedAffiliates(pool, now)) {
      // One account's fault, such as a lock that is held, must not stop the others: it is owed still, next time.
      await payAffiliate(pool, affiliate, now).catch((error: unknown) =>
        log.warn({ err: error, account: affiliate }, 'an affiliate could not be paid'),
      );
    }
  },
});
