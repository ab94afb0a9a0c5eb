import { z } from 'zod';
import { date, startOf } from '../../api/date.ts';
import { currency, money } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { wireAmount } from '../../base/money.ts';
import { revenueBetween } from '../../business/core/ledger/recognition.ts';
import { operation } from '../../operation.ts';

const minor = z.int().describe('The same in minor units, exactly.');

export default operation({
  method: 'GET',
  path: 'staff/revenue',
  summary: 'What was earned in a period, and what is paid for and still to be delivered',
  description:
    'Without tax, by product. Each order is earned straight over its term, until a refund with the end of its service; ' +
    'what is paid back for a smaller size is taken off the rest of the term. Days are UTC. Adjacent periods add up to ' +
    'the cent; over all time, `recognised` and `deferred` are what was posted.',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({
    from: date.describe('The first day.'),
    to: date.describe('The last day, which is part of it.'),
  }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    products: z.array(
      z.object({
        product: z.string(),
        currency,
        recognised: money.describe('Earned in the period.'),
        recognised_minor: minor,
        posted: money.describe('Charged in the period less refunds: what revenue accounts moved by.'),
        posted_minor: minor,
        deferred: money.describe('Paid for and not delivered at the end of the last day.'),
        deferred_minor: minor,
      }),
    ),
  }),
  message: { en: 'This is the revenue.', de: 'Das sind die Umsätze.' },
  errors: ['validation_failed'],
  example: { input: { from: '2026-01-01', to: '2026-01-31' } },
  async read(ctx, input) {
    const [from, last] = [startOf(input.from), startOf(input.to)];
    if (from === null || last === null || input.to < input.from) {
      const problem = fieldProblem('/to', 'out_of_range', 'The period must not end before it begins.');
      throw ctx.refusal('validation_failed', problem);
    }
    const products = await revenueBetween(ctx.db, from, last.add({ hours: 24 }));
    return {
      from: input.from,
      to: input.to,
      products: products.map((row) => ({
        product: row.product,
        currency: row.currency,
        recognised: wireAmount(row.recognised),
        recognised_minor: Number(row.recognised),
        posted: wireAmount(row.posted),
        posted_minor: Number(row.posted),
        deferred: wireAmount(row.deferred),
        deferred_minor: Number(row.deferred),
      })),
    };
  },
});
