import type { BasisPoints } from '../../../base/money.ts';
import type { Discount } from './discount.ts';

/** A discount that holds for several terms of a service. */
export interface RecurringDiscount {
  readonly code: string;
  readonly percent: BasisPoints;
  /** For how many terms still, the coming one included; null: for all. */
  readonly left: number | null;
}

/** What takes something off the term that is ordered, and what its service keeps for the terms after it. */
export interface TermDiscount {
  readonly now: Pick<RecurringDiscount, 'code' | 'percent'> | null;
  /** The code that came with the order, if it is used, and with that used up. */
  readonly used: Discount | null;
  readonly after: RecurringDiscount | null;
  /** Whether it is a code for several terms that is used for this one only. */
  readonly isCut: boolean;
}

/**
 * Of the discount that a service keeps and a code that comes with an order, the one that gives more takes something off
 * this term; a code that does not stays good for another time. A code that is used takes the place of what is kept if
 * it holds for at least as many terms. Otherwise it is for this term alone, and what is kept goes on: 20 % once do not
 * cost anybody their 10 % for ever. So there is no term that costs more than without the code, whatever its length and
 * its price then are; to compare what both give in all would not hold that when prices change. As a service keeps one
 * discount, a code for several terms that is used for one gives nothing for the others: its quote warns of that.
 *
 * Terms are counted as they are paid for, whichever discount is used: of three terms with 10 % two are left after one
 * with 20 %. Whoever would rather have the code after them keeps it until then.
 */
export function termDiscount(kept: RecurringDiscount | null, given: Discount | null): TermDiscount {
  if (given === null || given.percent <= (kept?.percent ?? 0))
    return { now: kept, used: null, after: afterThisTerm(kept), isCut: false };
  const standing = standingOf(given);
  const isOutlasted = kept !== null && termsOf(kept) > termsOf(standing);
  return {
    now: standing,
    used: given,
    after: afterThisTerm(isOutlasted ? kept : standing),
    isCut: isOutlasted && given.cycles > 1,
  };
}

function standingOf({ code, percent, cycles }: Discount): RecurringDiscount {
  return { code, percent, left: cycles === 0 ? null : cycles };
}

function termsOf({ left }: RecurringDiscount): number {
  return left ?? Number.POSITIVE_INFINITY;
}

/** What is left of it once a term has been paid for. */
function afterThisTerm(standing: RecurringDiscount | null): RecurringDiscount | null {
  if (standing === null || standing.left === null) return standing;
  return standing.left > 1 ? { ...standing, left: standing.left - 1 } : null;
}

/** As a service's row keeps it. */
export interface RecurringDiscountColumns {
  readonly discount_code: string | null;
  readonly discount_percent: number | null;
  readonly discount_left: number | null;
}

export function recurringDiscountColumns(standing: RecurringDiscount | null): RecurringDiscountColumns {
  return {
    discount_code: standing?.code ?? null,
    discount_percent: standing?.percent ?? null,
    discount_left: standing?.left ?? null,
  };
}

export function recurringDiscountFrom(row: RecurringDiscountColumns): RecurringDiscount | null {
  if (row.discount_code === null || row.discount_percent === null) return null;
  return { code: row.discount_code, percent: row.discount_percent, left: row.discount_left };
}
