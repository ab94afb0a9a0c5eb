import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { invoice, invoiceLinks, wireInvoice, wireInvoiceLinks } from '../../api/invoice.ts';
import { invoiceOf } from '../../business/selling/invoices/invoice.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'account/invoice',
  summary: 'One of your invoices or credit notes, with its documents',
  description: 'The links need no token. The documents are made at the first download and stay as they are.',
  audience: 'customer',
  scope: 'account:read',
  input: z.strictObject({ uuid }),
  output: invoice.extend(invoiceLinks.shape),
  message: { en: 'This is your invoice.', de: 'Das ist Ihre Rechnung.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async read(ctx, input) {
    const found = await invoiceOf(ctx.db, input.uuid, ctx.caller.accountId);
    if (found === null) throw ctx.refusal('not_found');
    return { ...wireInvoice(found), ...wireInvoiceLinks(ctx, found) };
  },
});
