import { type BasisPoints, divideRounded, type UnitPrice } from '../../../base/money.ts';

const WHOLE = 10_000n;

/** What a price comes to without the tax that is in it, in whole multiples of `step`: one exact division, one rounding. */
export function netPrice(price: UnitPrice, rate: BasisPoints, step: UnitPrice): UnitPrice {
  return divideRounded(price * WHOLE, (WHOLE + BigInt(rate)) * step) * step;
}
