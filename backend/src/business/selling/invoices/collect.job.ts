import { maintenanceJob } from '../../../work/job.ts';
import { issueInvoices } from './issue.ts';
import { issuingSeller } from './seller.ts';

/**
 * Issues the collective invoices over the automatic renewals of days that are over at the seller's. Each hour, a
 * while after its beginning: a day ends at some full hour (or half) everywhere, and what was renewed in its last
 * moment is committed by then.
 */
export default maintenanceJob({
  name: 'invoice.collect',
  schedule: '7,37 * * * *',
  async run(pool, { now, catalogs, log }) {
    const seller = issuingSeller((await catalogs.newest(pool)).content.seller);
    if (seller === null) return;
    const today = now.toZonedDateTimeISO(seller.timezone).startOfDay().toInstant();
    await issueInvoices(pool, { now, seller, log }, { automatic: true, closedBefore: today });
  },
});
