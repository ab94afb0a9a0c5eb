import { maintenanceJob } from '../../../work/job.ts';
import { issueCreditNotes, issueInvoices } from './issue.ts';
import { issuingSeller } from './seller.ts';

/**
 * Issues an invoice for every order that somebody made, and a credit note for every refund of an order that has its
 * invoice (rule B6). Automatic renewals are invoiced together, by invoice.collect.
 */
export default maintenanceJob({
  name: 'invoice.issue',
  schedule: '* * * * *',
  async run(pool, { now, catalogs, log }) {
    const seller = issuingSeller((await catalogs.newest(pool)).content.seller);
    if (seller === null) return;
    await issueInvoices(pool, { now, seller, log }, { automatic: false, closedBefore: null });
    await issueCreditNotes(pool, { now, seller, log });
  },
});
