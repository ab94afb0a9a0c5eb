import { z } from 'zod';
import { currency, money, timestamp, uuid } from '../../api/field.ts';
import { offsetOf, pageOf, pagination, tooDeep } from '../../api/page.ts';
import { wireAmount } from '../../base/money.ts';
import { wireTime } from '../../base/time.ts';
import { unpaidPayouts } from '../../business/closing/payout.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'staff/payouts',
  summary: 'Balances of closed accounts that are to be paid out',
  description: 'The oldest first. Send the money by your bank, then say so by `staff/payout-paid`.',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({
    page: z.int().min(1).max(1_000_000).default(1),
    per_page: z.int().min(1).max(100).default(25),
  }),
  output: z.object({
    payouts: z.array(
      z.object({
        account_uuid: uuid,
        closed_at: timestamp,
        amount: money,
        currency,
        iban: z.string(),
        account_holder: z.string(),
      }),
    ),
    pagination,
  }),
  message: { en: 'These are the payouts.', de: 'Das sind die Auszahlungen.' },
  errors: ['validation_failed'],
  example: { input: {} },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const page = { limit: input.per_page, offset: offsetOf(input) };
    const { payouts, total } = await unpaidPayouts(ctx.db, page);
    return {
      payouts: payouts.map((one) => ({
        account_uuid: one.account_id,
        closed_at: wireTime(one.closed_at),
        amount: wireAmount(one.payout),
        currency: one.currency,
        iban: one.iban,
        account_holder: one.account_holder,
      })),
      pagination: pageOf(input, total),
    };
  },
});
