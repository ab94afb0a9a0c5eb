import {
  type Amount,
  amountOf,
  type BasisPoints,
  divideRounded,
  taxWithin,
  type UnitPrice,
} from '../../base/money.ts';
import type { Instant } from '../../base/time.ts';

/** One thing that is charged: how many, at which unit price (tax included), for which period. */
export interface PriceLine {
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: UnitPrice;
}

export interface PricedLine extends PriceLine {
  readonly net: Amount;
}

/**
 * A price that explains itself. Laws: the lines' nets minus `discount` are `net`; `net + tax = gross`;
 * `fullGross` is what the same costs without the discount.
 */
export interface Price {
  readonly version: number;
  readonly currency: string;
  readonly lines: readonly PricedLine[];
  readonly discount: Amount;
  readonly net: Amount;
  readonly taxRate: BasisPoints;
  readonly tax: Amount;
  readonly gross: Amount;
  readonly fullGross: Amount;
  readonly periodFrom: Instant;
  readonly periodTo: Instant;
}

export interface PriceRequest {
  readonly version: number;
  readonly currency: string;
  readonly taxRate: BasisPoints;
  readonly lines: readonly PriceLine[];
  /** Off the gross price, in hundredths of a percent. */
  readonly discount: BasisPoints;
  readonly periodFrom: Instant;
  readonly periodTo: Instant;
}

/** The exact sum is rounded once, to the gross amount that is charged; tax and nets are parts of it. */
export function priceOf(request: PriceRequest): Price {
  const exact = request.lines.map((line) => line.unitPrice * BigInt(line.quantity));
  const exactSum = exact.reduce((sum, part) => sum + part, 0n);
  const fullGross = amountOf(exactSum);
  const gross = amountOf(divideRounded(exactSum * BigInt(10_000 - request.discount), 10_000n));
  const tax = taxWithin(gross, request.taxRate);
  const net = gross - tax;
  const fullNet = fullGross - taxWithin(fullGross, request.taxRate);
  return {
    version: request.version,
    currency: request.currency,
    lines: share(request.lines, exact, exactSum, fullNet),
    discount: fullNet - net,
    net,
    taxRate: request.taxRate,
    tax,
    gross,
    fullGross,
    periodFrom: request.periodFrom,
    periodTo: request.periodTo,
  };
}

/** Splits `total` over the lines by their weight; rounding the running sum makes the parts add up. */
function share(
  lines: readonly PriceLine[],
  weights: readonly bigint[],
  sum: bigint,
  total: Amount,
): PricedLine[] {
  let weight = 0n;
  let given = 0n;
  return lines.map((line, index) => {
    weight += weights[index] ?? 0n;
    const upTo = sum === 0n ? 0n : divideRounded(total * weight, sum);
    const net = upTo - given;
    given = upTo;
    return { ...line, net };
  });
}
