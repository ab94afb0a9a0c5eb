import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { CommissionState } from './commission.ts';

/** Half-open; null: without a bound. */
export interface Period {
  readonly from: Instant | null;
  readonly before: Instant | null;
}

export interface AffiliateTotals {
  readonly clicks: bigint;
  readonly signups: bigint;
  /** Orders that earned something and were not paid back. */
  readonly orders: bigint;
  readonly pending: Amount;
  readonly confirmed: Amount;
  readonly paid: Amount;
  /** All commissions, cancelled ones too: what {@link leadsOf} pages through. */
  readonly leads: bigint;
}

/** A commission as the affiliate sees it: nothing tells who the customer is. */
export interface Lead {
  readonly id: string;
  readonly created_at: Instant;
  readonly product: string;
  readonly order_total: Amount;
  readonly amount: Amount;
  readonly state: CommissionState;
}

export interface Payout {
  readonly id: string;
  readonly amount: Amount;
  readonly method: 'balance' | 'bank';
  readonly state: 'pending' | 'paid';
  readonly created_at: Instant;
}

const PERIOD = `($2::timestamptz IS NULL OR created_at >= $2) AND ($3::timestamptz IS NULL OR created_at < $3)`;
const OF_STATE = (state: CommissionState) =>
  `coalesce(sum(amount) FILTER (WHERE state = '${state}'), 0)::bigint AS ${state}`;

const sums = statement<AffiliateTotals>(
  'affiliate_totals',
  `SELECT
     (SELECT coalesce(sum(clicks), 0)::bigint FROM affiliate_clicks WHERE account_id = $1
       AND ($2::timestamptz IS NULL OR day >= ($2::timestamptz AT TIME ZONE 'UTC')::date)
       AND ($3::timestamptz IS NULL OR day < ($3::timestamptz AT TIME ZONE 'UTC')::date)) AS clicks,
     (SELECT count(*) FROM accounts WHERE referred_by = $1 AND ${PERIOD}) AS signups,
     count(*) FILTER (WHERE state <> 'cancelled') AS orders, count(*) AS leads,
     ${OF_STATE('pending')}, ${OF_STATE('confirmed')}, ${OF_STATE('paid')}
   FROM commissions WHERE affiliate_id = $1 AND ${PERIOD}`,
);
const leads = (order: 'asc' | 'desc') =>
  statement<Lead>(
    `affiliate_leads_${order}`,
    `SELECT id, created_at, product, order_total, amount, state FROM commissions WHERE affiliate_id = $1 AND ${PERIOD}
     ORDER BY created_at ${order}, id ${order} LIMIT $4 OFFSET $5`,
  );
const listed = { asc: leads('asc'), desc: leads('desc') };
const payouts = statement<Payout>(
  'affiliate_payouts',
  `SELECT id, amount, method, state, created_at FROM affiliate_payouts WHERE account_id = $1 AND ${PERIOD}
   ORDER BY created_at DESC, id DESC LIMIT $4`,
);

/** What an affiliate's link came to in a period. */
export async function affiliateTotals(
  db: Executor,
  accountId: string,
  { from, before }: Period,
): Promise<AffiliateTotals> {
  const [totals] = await db.run(sums, [accountId, from, before]);
  if (totals === undefined) throw new Error('a sum is always a row');
  return totals;
}

/** An affiliate's commissions by when their orders were paid. */
export async function leadsOf(
  db: Executor,
  accountId: string,
  { from, before }: Period,
  page: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
): Promise<Lead[]> {
  return await db.run(listed[page.order], [accountId, from, before, page.limit, page.offset]);
}

/** What an affiliate was paid, the newest first. */
export async function payoutsOf(
  db: Executor,
  accountId: string,
  { from, before }: Period,
  limit: number,
): Promise<Payout[]> {
  return await db.run(payouts, [accountId, from, before, limit]);
}
