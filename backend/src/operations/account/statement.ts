import { z } from 'zod';
import { month } from '../../api/date.ts';
import { currency, money } from '../../api/field.ts';
import { invoiceSummary, wireInvoiceSummary } from '../../api/invoice.ts';
import { wireAmount } from '../../base/money.ts';
import { accountOf } from '../../business/core/accounts/account.ts';
import { listInvoices } from '../../business/selling/invoices/list.ts';
import { monthOf, statementOf } from '../../business/selling/invoices/statement.ts';
import { operation } from '../../operation.ts';
import { transactionType } from './transaction.schema.ts';

const MOST_INVOICES = 500;

export default operation({
  method: 'GET',
  path: 'account/statement',
  summary: 'What a month did to your balance',
  description:
    "The month is the one at the seller's. `opening_balance` + `credit` - `debit` = `closing_balance`, and the " +
    `amounts of \`by_type\` add up to the difference. The first ${MOST_INVOICES} invoices of the month are listed, ` +
    '`invoices_total` counts them all.',
  audience: 'customer',
  scope: 'account:read',
  input: z.strictObject({ month }),
  output: z.object({
    month,
    currency,
    opening_balance: money,
    credit: money,
    debit: money.describe('Positive.'),
    closing_balance: money,
    by_type: z.array(
      z.object({
        type: transactionType,
        transactions: z.int(),
        amount: money.describe('Negative: it was taken from your balance.'),
      }),
    ),
    invoices: z.array(invoiceSummary),
    invoices_total: z.int(),
  }),
  message: { en: 'This is your statement.', de: 'Das ist Ihr Kontoauszug.' },
  errors: [],
  example: { input: { month: '2026-11' } },
  async read(ctx, input) {
    const account = await accountOf(ctx.db, ctx.caller.accountId);
    const timeZone = ctx.catalog.content.seller?.timezone ?? 'UTC';
    const asked = monthOf(Temporal.PlainYearMonth.from(input.month), timeZone);
    const [{ turnover, kinds }, { invoices, total }] = await Promise.all([
      statementOf(ctx.db, account, asked),
      listInvoices(
        ctx.db,
        { accountId: account.id, kind: null, from: asked.firstDay, to: asked.lastDay, number: null },
        { order: 'asc', limit: MOST_INVOICES, offset: 0 },
      ),
    ]);
    return {
      month: input.month,
      currency: account.currency,
      opening_balance: wireAmount(turnover.opening),
      credit: wireAmount(turnover.credit),
      debit: wireAmount(turnover.debit),
      closing_balance: wireAmount(turnover.closing),
      by_type: kinds.map((sum) => ({
        type: sum.kind,
        transactions: sum.entries,
        amount: wireAmount(sum.amount),
      })),
      invoices: invoices.map(wireInvoiceSummary),
      invoices_total: total,
    };
  },
});
