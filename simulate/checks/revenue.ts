import { revenueBetween } from '../../backend/src/business/ledger/recognition.ts';
import type { Check, Span } from '../check.ts';
import type { World } from '../world.ts';

interface Sold {
  readonly product: string;
  readonly net: bigint;
  readonly closed_at: Temporal.Instant;
  readonly period_from: Temporal.Instant;
  readonly period_to: Temporal.Instant;
  readonly refunds: readonly { readonly net: number; readonly at: string; readonly ends: string }[] | null;
}

const BEGINNING = Temporal.Instant.from('2020-01-01T00:00:00Z');
/** The program rounds each order to a cent; this counts in floating point. */
const CENTS_PER_ORDER = 0.51;

/** What was delivered until a moment, by product: each order's time that has passed, times its price per time. */
async function delivered(
  { pool }: World,
  now: Temporal.Instant,
): Promise<Map<string, { cents: number; orders: number }>> {
  const { rows } = await pool.pg.query<Sold>(
    `SELECT o.product, o.net, o.closed_at, o.period_from, o.period_to,
       (SELECT json_agg(json_build_object('net', r.gross - r.tax, 'at', r.created_at, 'ends', r.period_from))
        FROM refunds r WHERE r.order_id = o.id) AS refunds
     FROM orders o WHERE o.state = 'completed'`,
  );
  const sums = new Map<string, { cents: number; orders: number }>();
  for (const sold of rows) {
    const refunds = sold.refunds ?? [];
    const kept = Number(sold.net) - refunds.reduce((sum, refund) => sum + refund.net, 0);
    const ends = Math.max(
      sold.period_from.epochMilliseconds,
      Math.min(sold.period_to.epochMilliseconds, ...refunds.map(({ ends }) => Date.parse(ends))),
    );
    const length = ends - sold.period_from.epochMilliseconds;
    const passed = Math.min(Math.max(0, now.epochMilliseconds - sold.period_from.epochMilliseconds), length);
    const sum = sums.get(sold.product) ?? { cents: 0, orders: 0 };
    sums.set(sold.product, sum);
    sum.cents += length === 0 ? kept : (kept * passed) / length;
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
