import { z } from 'zod';
import { currency, money, noInput, timestamp, uuid } from '../../api/field.ts';
import { wireAmount } from '../../base/money.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { accountOf, available } from '../../business/core/accounts/account.ts';
import { forecast } from '../../business/core/accounts/forecast.ts';
import { renewingServices } from '../../business/selling/subscriptions/renewal/upcoming.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'account/balance',
  summary: 'Your money, and how long it lasts',
  audience: 'customer',
  scope: 'account:read',
  input: noInput,
  output: z.object({
    balance: money,
    reserved: money.describe('Held for orders that are being delivered.'),
    available: money.describe('balance - reserved + credit_limit'),
    balance_minor: z.int(),
    currency,
    credit_limit: money,
    low_balance_threshold: money.nullable(),
    forecast: z
      .object({
        next_30_days: money.describe('What renewals will cost at today’s prices.'),
        covered_until: timestamp
          .nullable()
          .describe('When the first renewal comes that is not covered; null: none within a year.'),
        first_uncovered: z.object({ type: z.string(), uuid }).nullable(),
      })
      .describe('For the 10,000 services that renew next, if nothing changes.'),
    updated_at: timestamp.describe('The last booking.'),
  }),
  message: { en: 'This is your balance.', de: 'Das ist Ihr Guthaben.' },
  errors: [],
  example: { input: {} },
  async read(ctx) {
    const { accountId } = ctx.caller;
    const account = await accountOf(ctx.db, accountId);
    const renewing = await renewingServices(ctx.db, account, ctx.catalogs, ctx.catalog, ctx.now);
    const ahead = forecast(available(account), renewing, ctx.now);
    const uncovered = ahead.firstUncovered;
    return {
      balance: wireAmount(account.balance),
      reserved: wireAmount(account.reserved),
      available: wireAmount(available(account)),
      balance_minor: Number(account.balance),
      currency: account.currency,
      credit_limit: wireAmount(account.credit_limit),
      low_balance_threshold:
        account.low_balance_threshold === null ? null : wireAmount(account.low_balance_threshold),
      forecast: {
        next_30_days: wireAmount(ahead.next30Days),
        covered_until: wireTimeOrNull(ahead.coveredUntil),
        first_uncovered: uncovered === null ? null : { type: uncovered.product, uuid: uncovered.id },
      },
      updated_at: wireTime(account.ledger_at ?? account.created_at),
    };
  },
});
