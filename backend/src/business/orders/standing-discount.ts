import type { BasisPoints } from '../../base/money.ts';
import type { Discount } from './discount.ts';

/** A discount that holds for several terms of a service. */
export interface StandingDiscount {
  readonly code: string;
  readonly percent: BasisPoints;
  /** For how many terms still, the coming one included; null: for all. */
  readonly left: number | null;
}

/** What a code gives the service that is ordered with it. */
export function standingOf(discount: Pick<Discount, 'code' | 'percent' | 'cycles'>): StandingDiscount {
  return {
    code: discount.code,
    percent: discount.percent,
    left: discount.cycles === 0 ? null : discount.cycles,
  };
}

/** What is left of it once a term has been paid for. */
export function afterThisTerm(standing: StandingDiscount | null): StandingDiscount | null {
  if (standing === null || standing.left === null) return standing;
  return standing.left > 1 ? { ...standing, left: standing.left - 1 } : null;
}

/** As a service's row keeps it. */
export interface StandingColumns {
  readonly discount_code: string | null;
  readonly discount_percent: number | null;
  readonly discount_left: number | null;
}

export function standingColumns(standing: StandingDiscount | null): StandingColumns {
  return {
    discount_code: standing?.code ?? null,
    discount_percent: standing?.percent ?? null,
    discount_left: standing?.left ?? null,
  };
}

export function standingFrom(row: StandingColumns): StandingDiscount | null {
  if (row.discount_code === null || row.discount_percent === null) return null;
  return { code: row.discount_code, percent: row.discount_percent, left: row.discount_left };
}
