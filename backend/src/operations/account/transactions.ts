import { z } from 'zod';
import { date, startOf } from '../../api/date.ts';
import { money, uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { containing, MAX_OFFSET, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { wireAmount } from '../../base/money.ts';
import { accountOf } from '../../business/core/accounts/account.ts';
import { transactionsOf } from '../../business/core/ledger/transactions.ts';
import { invoicesOfEntries } from '../../business/selling/invoices/entry-invoices.ts';
import { operation } from '../../operation.ts';
import {
  direction,
  transaction,
  transactionsCsv,
  transactionType,
  wireTransaction,
} from './transaction.schema.ts';

const MAX_ROWS = { json: 100, csv: 1000 } as const;

export default operation({
  method: 'GET',
  path: 'account/transactions',
  summary: 'What you paid, received and have on hold',
  description:
    'Orders that are still being delivered come as `pending`, newer than everything booked: with `order: desc` ' +
    'on the first page, with `asc` on the last. `total` counts them; `summary` is about booked ones only, ' +
    '`credit` and `debit` about all that match, on all pages, the balances about the period. ' +
    'Pages of a filtered list reach back 10000 rows; filtered by period alone, any number. `search` looks through the newest ' +
    '5000 bookings of the period, and `summary` is of these: name a period to search older ones.',
  audience: 'customer',
  scope: 'account:read',
  input: z.strictObject({
    ...paging(['created_at'], MAX_ROWS.csv),
    per_page: z
      .int()
      .min(1)
      .max(MAX_ROWS.csv)
      .default(25)
      .describe(`At most ${MAX_ROWS.json}, or ${MAX_ROWS.csv} as CSV.`),
    from: date.optional().describe('The first day, UTC.'),
    to: date.optional().describe('The last day, UTC, which is part of it.'),
    type: transactionType.optional(),
    direction: direction.optional(),
    resource_uuid: uuid.optional(),
    format: z.enum(['json', 'csv']).default('json').describe('`csv` gives the page as text too, in `csv`.'),
  }),
  output: z.object({
    transactions: z.array(transaction),
    csv: z.string().optional().describe('RFC 4180; only when asked for.'),
    summary: z.object({ credit: money, debit: money, opening_balance: money, closing_balance: money }),
    pagination,
  }),
  message: { en: 'These are your transactions.', de: 'Das sind Ihre Buchungen.' },
  errors: ['validation_failed'],
  example: { input: { page: 1, type: 'topup' } },
  async read(ctx, input) {
    const most = MAX_ROWS[input.format];
    if (input.per_page > most) {
      throw ctx.refusal(
        'validation_failed',
        fieldProblem('/per_page', 'out_of_range', `At most ${most} rows a page.`, { limit: most }),
      );
    }
    const found = await transactionsOf(
      ctx.db,
      await accountOf(ctx.db, ctx.caller.accountId),
      {
        kind: input.type ?? null,
        direction: input.direction ?? null,
        resourceId: input.resource_uuid ?? null,
        description: input.search === undefined ? null : containing(input.search),
        from: input.from === undefined ? null : startOf(input.from),
        before: input.to === undefined ? null : (startOf(input.to)?.add({ hours: 24 }) ?? null),
      },
      { order: input.order, limit: input.per_page, offset: offsetOf(input) },
      MAX_OFFSET,
    );
    if (found === null) throw ctx.refusal('validation_failed', tooDeep(input) ?? {});
    const { rows, total, summary } = found;
    const invoices = await invoicesOfEntries(ctx.db, rows);
    return {
      transactions: rows.map((row) => wireTransaction(row, invoices)),
      ...(input.format === 'csv' ? { csv: transactionsCsv(rows) } : {}),
      summary: {
        credit: wireAmount(summary.credit),
        debit: wireAmount(summary.debit),
        opening_balance: wireAmount(summary.opening),
        closing_balance: wireAmount(summary.closing),
      },
      pagination: pageOf(input, total),
    };
  },
});
