import type { Amount } from '../../base/money.ts';
import type { Instant } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';

/** What a product earned between two moments, without tax. */
export interface Recognised {
  readonly product: string;
  readonly currency: string;
  /** Delivered in the period; below zero where more was paid back than had been delivered. */
  readonly recognised: Amount;
  /** Charged in the period, less what was refunded in it: what the ledger's revenue accounts moved by. */
  readonly posted: Amount;
  /** Paid for and not yet delivered when the period ends. */
  readonly deferred: Amount;
}

/**
 * Each order's net is earned straight over its term; rounding the running sum, whatever periods a term is cut into,
 * makes the parts add up to the whole. A refund ends the term where nothing more was delivered, and what was not
 * refunded is what was earned by then. So at any moment, of every order:
 *
 *     recognised until then + deferred = charged - refunded until then
 */
const earned = (at: string, kept: string, ends: string) => `CASE
    WHEN o.closed_at >= ${at} THEN 0
    WHEN ${ends} <= ${at} THEN ${kept}
    WHEN o.period_from >= ${at} THEN 0
    ELSE div(2 * ${kept} * ${micros(at, 'o.period_from')} + ${micros(ends, 'o.period_from')},
             2 * ${micros(ends, 'o.period_from')})
  END`;

/** Whole microseconds between two moments, exactly. */
function micros(until: string, from: string): string {
  return `((extract(epoch FROM ${until}) - extract(epoch FROM ${from})) * 1000000)`;
}

/** Of an order, at a moment: what was not refunded yet, and where its term ends by then. */
const kept = (at: string) => `o.net - coalesce(sum(r.gross - r.tax) FILTER (WHERE r.created_at < ${at}), 0)`;
const ends = (at: string) =>
  `greatest(o.period_from, least(o.period_to, min(r.period_from) FILTER (WHERE r.created_at < ${at})))`;

const recognise = statement<Recognised>(
  'recognise_revenue',
  `SELECT product, currency, sum(earned_by_end - earned_before)::bigint AS recognised,
     sum(kept_at_end - posted_before)::bigint AS posted, sum(kept_at_end - earned_by_end)::bigint AS deferred
   FROM (
     SELECT o.product, o.currency, o.kept_at_end,
       CASE WHEN o.closed_at < $1 THEN o.kept_before ELSE 0 END AS posted_before,
       ${earned('$1', 'o.kept_before', 'o.ends_before')} AS earned_before,
       ${earned('$2', 'o.kept_at_end', 'o.ends_at_end')} AS earned_by_end
     FROM (
       SELECT o.product, o.currency, o.closed_at, o.period_from, ${kept('$1')} AS kept_before,
         ${ends('$1')} AS ends_before, ${kept('$2')} AS kept_at_end, ${ends('$2')} AS ends_at_end
       FROM orders o LEFT JOIN refunds r ON r.order_id = o.id
       WHERE o.state = 'completed' AND o.closed_at < $2 AND o.net > 0
       GROUP BY o.id) o) e
   GROUP BY product, currency ORDER BY product, currency`,
);

/** The revenue of all customers from a moment on and before another, by product and currency. Reads all orders. */
export function revenueBetween(db: Executor, from: Instant, before: Instant): Promise<Recognised[]> {
  return db.run(recognise, [from, before]);
}
