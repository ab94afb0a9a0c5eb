import { pino } from 'pino';
import { issueInvoices } from '../../src/business/selling/invoices/issue.ts';
import type { Caller, Harness } from '../harness.ts';
import { licensed } from './license.ts';

/** A customer with an invoice. */
export async function invoiced(harness: Harness): Promise<{ as: Caller; uuid: string }> {
  const { as } = await licensed(harness);
  const { seller } = harness.catalog;
  if (seller === null) throw new Error('the catalogue names no seller');
  const issuing = { now: harness.clock.now(), seller, log: pino({ level: 'silent' }) };
  await issueInvoices(harness.pool, issuing, { automatic: false, closedBefore: null });
  const { invoices } = await harness.data('account/invoices', { as });
  return { as, uuid: invoices[0].uuid };
}
