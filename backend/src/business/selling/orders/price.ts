import {
  type Amount,
  type BasisPoints,
  divideRounded,
  taxWithin,
  type UnitPrice,
} from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import type { TaxTreatment } from '../../core/tax/treatment.ts';

/** One thing that is charged: how many, at which of the catalogue's prices, which include tax at home. */
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
  readonly taxation: TaxTreatment;
  readonly tax: Amount;
  readonly gross: Amount;
  readonly fullGross: Amount;
  readonly periodFrom: Instant;
  readonly periodTo: Instant;
}

export interface PriceRequest {
  readonly version: number;
  readonly currency: string;
  /** The rate that the catalogue's prices include. */
  readonly homeRate: BasisPoints;
  readonly taxation: TaxTreatment;
  readonly lines: readonly PriceLine[];
  /** Off the gross price, in hundredths of a percent. */
  readonly discount: BasisPoints;
  readonly periodFrom: Instant;
  readonly periodTo: Instant;
}

const WHOLE = 10_000n;
const UNIT_PRICE_PER_AMOUNT = 100n;

/**
 * The exact sum is rounded once, to the gross amount that is charged; tax and nets are parts of it. Who pays
 * another country's rate pays the shown price all the same; who pays no tax pays it without the tax at home.
 */
export function priceOf(request: PriceRequest): Price {
  const { taxation, homeRate } = request;
  const exact = request.lines.map((line) => line.unitPrice * BigInt(line.quantity));
  const exactSum = exact.reduce((sum, part) => sum + part, 0n);
  const untaxed = taxation.kind === 'reverse_charge' || taxation.kind === 'export';
  const taxedHome = untaxed ? WHOLE + BigInt(homeRate) : WHOLE;
  const charged = (share: BasisPoints): Amount =>
    divideRounded(exactSum * BigInt(share) * WHOLE, WHOLE * taxedHome * UNIT_PRICE_PER_AMOUNT);
  const fullGross = charged(10_000);
  const gross = charged(10_000 - request.discount);
  const tax = taxWithin(gross, taxation.rate);
  const net = gross - tax;
  const fullNet = fullGross - taxWithin(fullGross, taxation.rate);
  return {
    version: request.version,
    currency: request.currency,
    lines: share(request.lines, exact, exactSum, fullNet),
    discount: fullNet - net,
    net,
    taxation,
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

export interface PricedTerm {
  /** Of the day of the sale, whichever version of the catalogue names the price. */
  readonly taxation: TaxTreatment;
  readonly discount: BasisPoints;
  readonly periodFrom: Instant;
  readonly periodTo: Instant;
}

/** The lowest of the prices by several versions of the catalogue; null when none of them sells it. */
export function cheapestPrice(
  catalogs: readonly CatalogVersion[],
  linesOf: (catalog: CatalogVersion) => readonly PriceLine[] | null,
  term: PricedTerm,
): Price | null {
  let lowest: Price | null = null;
  for (const catalog of new Set(catalogs)) {
    const lines = linesOf(catalog);
    if (lines === null) continue;
    const price = priceOf({
      version: catalog.version,
      currency: catalog.content.currency,
      homeRate: catalog.content.tax_rate,
      taxation: term.taxation,
      lines,
      discount: term.discount,
      periodFrom: term.periodFrom,
      periodTo: term.periodTo,
    });
    if (lowest === null || price.gross < lowest.gross) lowest = price;
  }
  return lowest;
}
