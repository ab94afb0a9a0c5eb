import type { Amount } from '../../../../base/money.ts';
import { type Instant, isBefore, later } from '../../../../base/time.ts';
import type { ProductLifecycle } from '../../../core/catalog/schema/life.ts';
import { type RefundableOrder, type RunningOrder, refundable } from '../../orders/refund.ts';

/** Why a service cannot be withdrawn from: the customer is a business, or the seller grants none, or it is too late. */
export type NoWithdrawal = 'business' | 'not_granted' | 'period_over';

const PERIOD_DAYS = 14;

/**
 * The moment at which the right of withdrawal ends: with the fourteenth day after the day of the order, as days are
 * where the seller is (Directive 2011/83/EU, Art. 9; Regulation 1182/71, Art. 3: the day of the order does not
 * count). That a period which ends on a weekend or a public holiday goes on to the next working day is not
 * modelled: it depends on the customer's holidays; an operator grants it by a refund.
 */
export function withdrawalEnd(orderedAt: Instant, timezone: string): Instant {
  const orderDay = orderedAt.toZonedDateTimeISO(timezone).toPlainDate();
  return orderDay
    .add({ days: PERIOD_DAYS + 1 })
    .toZonedDateTime(timezone)
    .toInstant();
}

export interface WithdrawalFacts {
  readonly policy: ProductLifecycle['withdrawal'];
  /** Ordered by a business whose VAT number was confirmed. */
  readonly business: boolean;
  /** When the service was first ordered; null: it never was. */
  readonly orderedAt: Instant | null;
  readonly timezone: string;
  readonly now: Instant;
}

/** What stands against a withdrawal; null: nothing does. */
export function noWithdrawal(facts: WithdrawalFacts): NoWithdrawal | null {
  if (facts.business) return 'business';
  if (facts.policy === 'none') return 'not_granted';
  if (facts.orderedAt === null) return 'period_over';
  return isBefore(facts.now, withdrawalEnd(facts.orderedAt, facts.timezone)) ? null : 'period_over';
}

/** What an order's term that is not used up is worth. */
export interface Unused {
  readonly order: RefundableOrder;
  readonly gross: Amount;
  readonly periodFrom: Instant;
}

/**
 * What is paid back of an order when its service ends at `now`: its price times the unused share of its term. The
 * price is that of the contract, set-up included: the law's measure of what was used is the total price in
 * proportion to what was provided (Directive 2011/83/EU, Art. 14(3)). Computed exactly and rounded once, up; less what
 * was paid back for the rest of the term already; a term that has not begun is paid back whole; never more than is left
 * of the order. `now` is the moment that the order was read for.
 */
export function unusedOf(order: RunningOrder, now: Instant): Unused {
  const periodFrom = later(now, order.period_from);
  const term = order.period_to.epochNanoseconds - order.period_from.epochNanoseconds;
  const left = order.period_to.epochNanoseconds - periodFrom.epochNanoseconds;
  const share = left <= 0n ? 0n : (order.gross * left + term - 1n) / term;
  const unused = share > order.given_back ? share - order.given_back : 0n;
  const rest = refundable(order);
  return { order, gross: unused < rest ? unused : rest, periodFrom };
}
