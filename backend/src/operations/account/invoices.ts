import { z } from 'zod';
import { invoiceKind, invoiceSummary, wireInvoiceSummary } from '../../api/invoice.ts';
import { offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { listInvoices } from '../../business/selling/invoices/list.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'account/invoices',
  summary: 'Your invoices and credit notes',
  description:
    'Orders are invoiced within a minute of their delivery, the automatic renewals of a day together when it is ' +
    'over.',
  audience: 'customer',
  scope: 'account:read',
  input: z.strictObject({
    ...paging(['issued_at']),
    search: z.string().trim().toUpperCase().max(40).optional().describe('How the number begins.'),
    year: z.int().min(1970).max(2999).optional().describe('Of issue.'),
    kind: invoiceKind.optional(),
  }),
  output: z.object({ invoices: z.array(invoiceSummary), pagination }),
  message: { en: 'These are your invoices.', de: 'Das sind Ihre Rechnungen.' },
  errors: ['validation_failed'],
  example: { input: { year: 2026 } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { invoices, total } = await listInvoices(
      ctx.db,
      {
        accountId: ctx.caller.accountId,
        kind: input.kind ?? null,
        from: input.year === undefined ? null : `${input.year}-01-01`,
        to: input.year === undefined ? null : `${input.year}-12-31`,
        number: input.search ?? null,
      },
      { order: input.order, limit: input.per_page, offset: offsetOf(input) },
    );
    return { invoices: invoices.map(wireInvoiceSummary), pagination: pageOf(input, total) };
  },
});
