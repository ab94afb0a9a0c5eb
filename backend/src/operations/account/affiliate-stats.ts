import { z } from 'zod';
import { date, startOf } from '../../api/date.ts';
import { currency, money, timestamp, uuid } from '../../api/field.ts';
import { offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { productType } from '../../api/product.ts';
import { wireAmount, wireUnitPrice } from '../../base/money.ts';
import { utcDay, wireTime } from '../../base/time.ts';
import { accountOf } from '../../business/core/accounts/account.ts';
import type { AffiliateTerms } from '../../business/core/catalog/schema/life.ts';
import { ensureAffiliateCode, referralLink } from '../../business/selling/affiliates/affiliate.ts';
import { affiliateTotals, leadsOf, payoutsOf } from '../../business/selling/affiliates/statistics.ts';
import { operation } from '../../operation.ts';

const MOST_PAYOUTS = 100;
const { search: _nothingToSearch, ...leadPaging } = paging(['date']);

export default operation({
  method: 'GET',
  path: 'account/affiliate-stats',
  summary: 'What you earn by bringing customers',
  description:
    'Your code and link are made when you first ask. A commission is `pending` for `hold_days` after its order was ' +
    'paid: a refund lowers or cancels it. Then it is confirmed and paid to your balance; later refunds do not take ' +
    'it back. While the program is off, `code` and `link` are empty. Pages are of `leads`; `payouts` are the ' +
    `newest ${MOST_PAYOUTS}.`,
  audience: 'customer',
  scope: 'account:read',
  input: z.strictObject({
    ...leadPaging,
    from: date.optional().describe('The first day, UTC.'),
    to: date.optional().describe('The last day, UTC, which is part of it.'),
  }),
  output: z.object({
    enabled: z.boolean(),
    code: z.string(),
    link: z.string(),
    commission: z.object({
      type: z.enum(['percent', 'fixed']),
      value: z.number().describe('A percentage of the order without tax, or an amount.'),
      recurring: z.boolean().describe('Whether every order earns, or a customer’s first one only.'),
      hold_days: z.int(),
    }),
    totals: z.object({
      clicks: z.int(),
      signups: z.int(),
      orders: z.int(),
      conversion_rate: z.number().min(0).max(1).describe('Sign-ups per click.'),
      pending: money,
      confirmed: money,
      paid: money,
    }),
    currency,
    leads: z.array(
      z.object({
        uuid,
        date: date.describe('When the order was paid.'),
        product_type: productType,
        order_total: money.describe('Without tax, and less what was paid back.'),
        commission: money,
        state: z.enum(['pending', 'confirmed', 'paid', 'cancelled']),
      }),
    ),
    payouts: z.array(
      z.object({
        uuid,
        amount: money,
        method: z.enum(['balance', 'bank']),
        state: z.enum(['pending', 'paid']),
        created_at: timestamp,
      }),
    ),
    pagination,
  }),
  message: { en: 'These are your referrals.', de: 'Das sind Ihre Empfehlungen.' },
  errors: ['validation_failed'],
  example: { input: { from: '2027-01-01', to: '2027-01-31' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { accountId } = ctx.caller;
    const terms = ctx.catalog.content.affiliate;
    const period = {
      from: input.from === undefined ? null : startOf(input.from),
      before: input.to === undefined ? null : (startOf(input.to)?.add({ hours: 24 }) ?? null),
    };
    const [account, code, totals, leads, payouts] = await Promise.all([
      accountOf(ctx.db, accountId),
      terms.enabled ? ensureAffiliateCode(ctx.db, accountId, ctx.now) : '',
      affiliateTotals(ctx.db, accountId, period),
      leadsOf(ctx.db, accountId, period, {
        order: input.order,
        limit: input.per_page,
        offset: offsetOf(input),
      }),
      payoutsOf(ctx.db, accountId, period, MOST_PAYOUTS),
    ]);
    const clicks = Number(totals.clicks);
    const signups = Number(totals.signups);
    return {
      enabled: terms.enabled,
      code,
      link: code === '' ? '' : referralLink(ctx.publicUrl, code),
      commission: wireCommission(terms),
      totals: {
        clicks,
        signups,
        orders: Number(totals.orders),
        // Who types the code in has not clicked.
        conversion_rate: clicks === 0 ? 0 : Math.min(1, signups / clicks),
        pending: wireAmount(totals.pending),
        confirmed: wireAmount(totals.confirmed),
        paid: wireAmount(totals.paid),
      },
      currency: account.currency,
      leads: leads.map((lead) => ({
        uuid: lead.id,
        date: utcDay(lead.created_at),
        product_type: productType.parse(lead.product),
        order_total: wireAmount(lead.order_total),
        commission: wireAmount(lead.amount),
        state: lead.state,
      })),
      payouts: payouts.map((payout) => ({
        uuid: payout.id,
        amount: wireAmount(payout.amount),
        method: payout.method,
        state: payout.state,
        created_at: wireTime(payout.created_at),
      })),
      pagination: pageOf(input, Number(totals.leads)),
    };
  },
});

function wireCommission({ commission, recurring, hold_days }: AffiliateTerms) {
  const { type, value } = commission;
  return { type, value: type === 'percent' ? value / 100 : wireUnitPrice(value), recurring, hold_days };
}
