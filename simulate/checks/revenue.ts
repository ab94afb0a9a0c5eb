import { revenueBetween } from '../../backend/src/business/core/ledger/recognition.ts';
import type { Check, Span } from '../check.ts';
import type { World } from '../world.ts';

interface Sold {
  readonly product: string;
  readonly net: bigint;
  readonly closed_at: Temporal.Instant;
  readonly period_from: Temporal.Instant;
  readonly period_to: Temporal.Instant;
  readonly refunds: readonly Refund[] | null;
}

interface Refund {
  readonly basis: string;
  readonly net: number;
  readonly from: string;
  /** When its service was withdrawn from with it; null: it was not. */
  readonly withdrawn: string | null;
}

const BEGINNING = Temporal.Instant.from('2020-01-01T00:00:00Z');
/** The program rounds each order to a cent; this counts in floating point. */
const CENTS_PER_ORDER = 0.51;

/**
 * What was delivered until a moment, by product: each order's time that has passed, times its price per time, which is
 * that of what was not paid back. Its time is all of its term, unless its customer withdrew: then the time until they did.
 * That is asked of the cancellations, not of what refunds say of themselves. Paid back for an outage or out of goodwill, it
 * was a lower price for the whole term. Only what was paid back because less is delivered from a moment on is of the time
 * after that moment. Nobody earns more than they keep.
 */
async function delivered(
  { pool }: World,
  now: Temporal.Instant,
): Promise<Map<string, { cents: number; orders: number }>> {
  const { rows } = await pool.pg.query<Sold>(
    `SELECT o.product, o.net, o.closed_at, o.period_from, o.period_to,
       (SELECT json_agg(json_build_object('basis', r.basis, 'net', r.gross - r.tax, 'from', r.period_from, 'withdrawn',
          (SELECT max(c.effective_at) FROM cancellations c WHERE r.basis = 'statutory_withdrawal'
             AND c.service_id = o.service_id AND c.mode = 'withdraw' AND c.requested_at = r.created_at)))
        FROM refunds r WHERE r.order_id = o.id) AS refunds
     FROM orders o WHERE o.state = 'completed'`,
  );
  const sums = new Map<string, { cents: number; orders: number }>();
  for (const sold of rows) {
    const refunds = sold.refunds ?? [];
    const [from, to] = [sold.period_from.epochMilliseconds, sold.period_to.epochMilliseconds];
    const withdrawn = refunds.flatMap((refund) => refund.withdrawn ?? []).map((at) => Date.parse(at));
    const ends = Math.max(from, Math.min(to, ...withdrawn));
    const until = Math.min(Math.max(from, now.epochMilliseconds), ends);
    const share = (since: number, end: number) =>
      end <= since ? 1 : Math.max(0, until - since) / (end - since);
    let [price, kept, less] = [Number(sold.net), Number(sold.net), 0];
    for (const { basis, net, from: since } of refunds) {
      kept -= net;
      if (basis === 'pro_rata') less += net * share(Math.max(from, Date.parse(since)), ends);
      else price -= net;
    }
    const sum = sums.get(sold.product) ?? { cents: 0, orders: 0 };
    sums.set(sold.product, sum);
    sum.cents += Math.min(kept, price * share(from, ends) - less);
    sum.orders += 1;
  }
  return sums;
}

const recognised: Check = {
  name: 'revenue recognised is service delivered, and with what is still owed what the ledger says',
  async find(world, { now, since }: Span) {
    // Once a month is enough: the figures run from the beginning each time.
    if (
      since.epochMilliseconds > now.subtract({ hours: 25 }).epochMilliseconds &&
      !/-28T/.test(now.toString())
    )
      return [];
    const problems: string[] = [];
    const after = now.add({ seconds: 1 });
    const sums = await delivered(world, after);
    for (const { product, recognised, deferred, posted } of await revenueBetween(
      world.pool,
      BEGINNING,
      after,
    )) {
      const { cents, orders } = sums.get(product) ?? { cents: 0, orders: 0 };
      if (Math.abs(Number(recognised) - cents) > CENTS_PER_ORDER * orders)
        problems.push(`${product}: recognised ${recognised}, delivered ${cents.toFixed(2)}`);
      const { rows } = await world.pool.pg.query<{ total: bigint }>(
        `SELECT coalesce(sum(amount), 0)::bigint AS total FROM ledger_postings WHERE ledger_account = 'revenue:' || $1`,
        [product],
      );
      if (recognised + deferred !== posted || posted !== rows[0]?.total)
        problems.push(
          `${product}: recognised ${recognised} + deferred ${deferred}, posted ${posted}, ledger ${rows[0]?.total}`,
        );
    }
    return problems.map((problem) => `${this.name}: ${problem}`);
  },
};

export default [recognised];
