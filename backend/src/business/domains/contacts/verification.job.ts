import { statement } from '../../../db/statement.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { isGeneric } from '../../core/catalog/schema/tld.ts';
import { verificationFailed } from './verified.ts';

const AT_ONCE = 500;

const late = statement<{ account_id: string }>(
  'accounts_of_late_contacts',
  `SELECT DISTINCT account_id FROM contacts WHERE verification_deadline <= $1 LIMIT ${AT_ONCE}`,
);

/** Takes domains off whose owners did not prove their e-mail addresses in time (rule F10). */
export default maintenanceJob({
  name: 'domain.verification_deadlines',
  schedule: '* * * * *',
  async run(pool, { now, catalogs }) {
    for (const { account_id: accountId } of await pool.run(late, [now])) {
      await inUnitOfWork(pool, now, [accountId], async (tx, uow) => {
        const { tlds } = await catalogs.newest(tx);
        const isConcerned = (tldName: string) => {
          const tld = tlds.get(tldName);
          return tld !== undefined && isGeneric(tld);
        };
        await verificationFailed(tx, uow, accountId, isConcerned);
      });
    }
  },
});
