import { z } from 'zod';
import { date } from '../../api/date.ts';
import { currency, money, uuid } from '../../api/field.ts';
import {
  invoiceKind,
  invoiceLinks,
  invoiceSummary,
  taxCountry,
  taxKind,
  taxRate,
  wireInvoiceLinks,
  wireInvoiceSummary,
} from '../../api/invoice.ts';
import { fieldProblem } from '../../api/order.ts';
import { offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { wireAmount } from '../../base/money.ts';
import { listInvoices } from '../../business/selling/invoices/list.ts';
import { taxTotals } from '../../business/selling/invoices/tax-totals.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'staff/invoices',
  summary: 'Invoices, and what a tax return asks of a period',
  description:
    'With `totals`, what was invoiced from `from` to `to`, less what was credited, by tax treatment, rate and ' +
    "country. `standard` of the seller's own country is for the return at home, of another for the one-stop " +
    'shop; `totals` are of all invoices of the period, or of one customer, whatever else is searched for.',
  audience: 'staff',
  scope: 'staff:read',
  input: z.strictObject({
    ...paging(['issued_at']),
    search: z.string().trim().toUpperCase().max(40).optional().describe('How the number begins.'),
    account_uuid: uuid.optional(),
    kind: invoiceKind.optional(),
    from: date.optional().describe('The first day of issue.'),
    to: date.optional().describe('The last day of issue, which is part of it.'),
    totals: z.boolean().default(false).describe('Needs `from` and `to`.'),
  }),
  output: z.object({
    invoices: z.array(invoiceSummary.extend({ account_uuid: uuid, ...invoiceLinks.shape })),
    totals: z
      .array(
        z.object({
          currency,
          tax_kind: taxKind,
          tax_rate: taxRate,
          tax_country: taxCountry,
          invoices: z.int(),
          credit_notes: z.int(),
          net: money.describe('Negative when more was credited than invoiced.'),
          tax: money,
          gross: money,
        }),
      )
      .nullable(),
    pagination,
  }),
  message: { en: 'These are the invoices.', de: 'Das sind die Rechnungen.' },
  errors: ['validation_failed'],
  example: { input: { from: '2026-10-01', to: '2026-12-31', totals: true } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { from = null, to = null, account_uuid: accountId = null } = input;
    const period = from === null || to === null ? null : { from, to, accountId };
    if (input.totals && period === null) {
      const problem = 'Totals are of a period: give from and to.';
      throw ctx.refusal('validation_failed', fieldProblem('/totals', 'required', problem));
    }
    const [{ invoices, total }, totals] = await Promise.all([
      listInvoices(
        ctx.db,
        { accountId, kind: input.kind ?? null, from, to, number: input.search ?? null },
        { order: input.order, limit: input.per_page, offset: offsetOf(input) },
      ),
      input.totals && period !== null ? taxTotals(ctx.db, period) : null,
    ]);
    return {
      invoices: invoices.map((invoice) => ({
        ...wireInvoiceSummary(invoice),
        ...wireInvoiceLinks(ctx, invoice),
        account_uuid: invoice.account_id,
      })),
      totals:
        totals?.map((sum) => ({
          currency: sum.currency,
          tax_kind: sum.tax_kind,
          tax_rate: sum.tax_rate / 100,
          tax_country: sum.tax_country,
          invoices: sum.invoices,
          credit_notes: sum.credit_notes,
          net: wireAmount(sum.net),
          tax: wireAmount(sum.tax),
          gross: wireAmount(sum.gross),
        })) ?? null,
      pagination: pageOf(input, total),
    };
  },
});
