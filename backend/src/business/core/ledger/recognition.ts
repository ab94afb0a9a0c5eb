import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

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
 * makes the parts add up to the whole. What refunds change of that depends on what was paid back:
 *
 * - The price. Where all was delivered, or nobody knows which part was not, what is kept is earned over the whole term.
 * - The end. From then on nothing is delivered: what is kept was earned by then.
 * - A part of the rest (`pro_rata`): from then on less is delivered, so that what was earned by then stays. What was paid
 *   back is taken off straight over the rest, as it was computed (see `runningOrders`).
 *
 * More than is kept is never earned: both kinds together may leave less than had been earned by then.
 *
 * So at any moment, of every order:
 *
 *     recognised until then + deferred = charged - refunded until then
 */
const earned = (moment: string, when: 'before' | 'at_end') => `CASE
    WHEN o.closed_at >= ${moment} THEN 0
    WHEN o.ends_${when} <= ${moment} THEN o.kept_${when}
    WHEN o.period_from >= ${moment} THEN 0
    ELSE least(o.kept_${when}, ${straight(
      `(o.kept_${when} + o.lessened_${when})`,
      micros(moment, 'o.period_from'),
      micros(`o.ends_${when}`, 'o.period_from'),
    )} - o.less_${when})
  END`;

/** An amount's part, rounded to the cent; exactly, which a division of numbers is not. */
function straight(amount: string, part: string, whole: string): string {
  return `div(2 * ${amount} * ${part} + ${whole}, 2 * ${whole})`;
}

/** Whole microseconds between two moments, exactly. */
function micros(until: string, from: string): string {
  return `((extract(epoch FROM ${until}) - extract(epoch FROM ${from})) * 1000000)`;
}

const LESSENED_FROM = 'greatest(r.period_from, o.period_from)';

/**
 * Of an order, as it was known at a moment: what was not refunded yet, where its term ends by then, what was paid back
 * because less of the rest is delivered, and how much of that for time that has passed.
 */
const known = (moment: string, when: 'before' | 'at_end') => {
  const sum = (amount: string, only = '') =>
    `coalesce(sum(${amount}) FILTER (WHERE r.created_at < ${moment}${only}), 0)`;
  const lessens = ` AND r.basis = 'pro_rata' AND r.period_from < o.period_to`;
  const passed = micros(`greatest(${LESSENED_FROM}, ${moment})`, LESSENED_FROM);
  const rest = micros('o.period_to', LESSENED_FROM);
  return `o.net - ${sum('r.gross - r.tax')} AS kept_${when},
    greatest(o.period_from, least(o.period_to,
      min(r.period_from) FILTER (WHERE r.created_at < ${moment} AND r.basis <> 'pro_rata'))) AS ends_${when},
    ${sum('r.gross - r.tax', lessens)} AS lessened_${when},
    ${sum(straight('(r.gross - r.tax)', passed, rest), lessens)} AS less_${when}`;
};

const recognise = statement<Recognised>(
  'recognise_revenue',
  `SELECT product, currency, sum(earned_by_end - earned_before)::bigint AS recognised,
     sum(kept_at_end - posted_before)::bigint AS posted, sum(kept_at_end - earned_by_end)::bigint AS deferred
   FROM (
     SELECT o.product, o.currency, o.kept_at_end,
       CASE WHEN o.closed_at < $1 THEN o.kept_before ELSE 0 END AS posted_before,
       ${earned('$1', 'before')} AS earned_before, ${earned('$2', 'at_end')} AS earned_by_end
     FROM (
       SELECT o.product, o.currency, o.closed_at, o.period_from, ${known('$1', 'before')}, ${known('$2', 'at_end')}
       FROM orders o LEFT JOIN refunds r ON r.order_id = o.id
       WHERE o.state = 'completed' AND o.closed_at < $2 AND o.net > 0
       GROUP BY o.id) o) e
   GROUP BY product, currency ORDER BY product, currency`,
);

/** The revenue of all customers from a moment on and before another, by product and currency. Reads all orders. */
export function revenueBetween(db: Executor, from: Instant, before: Instant): Promise<Recognised[]> {
  return db.run(recognise, [from, before]);
}
