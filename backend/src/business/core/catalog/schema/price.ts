import { z } from 'zod';
import { formatDecimal, readDecimal } from '../../../../base/decimal.ts';
import type { BasisPoints, UnitPrice } from '../../../../base/money.ts';

const UNIT_PRICE_SCALE = 4;
const MOST = 10_000_000n * 10n ** BigInt(UNIT_PRICE_SCALE);

/** An amount as the document has it: a number, or decimal text. */
const Written = z.custom<string | number>((value) => typeof value === 'string' || typeof value === 'number', {
  error: (issue) => (issue.input === undefined ? 'is missing' : 'must be an amount such as 12.99'),
});

function priceOf(decimals: number) {
  return z.codec(Written, z.bigint(), {
    decode: (written, ctx): UnitPrice => {
      const reading = readDecimal(written, decimals);
      const problem = reading.ok ? outOfRange(reading.value, decimals) : reading.problem;
      if (reading.ok && problem === null) return toUnitPrice(reading.value, decimals);
      ctx.issues.push({ code: 'custom', input: written, message: problem ?? 'is not an amount' });
      return z.NEVER;
    },
    encode: (price) => Number(formatDecimal(price, UNIT_PRICE_SCALE, 0)),
  });
}

function toUnitPrice(value: bigint, decimals: number): UnitPrice {
  return value * 10n ** BigInt(UNIT_PRICE_SCALE - decimals);
}

function outOfRange(value: bigint, decimals: number): string | null {
  if (value < 0n) return 'must not be negative';
  return toUnitPrice(value, decimals) < MOST ? null : 'must be less than 10000000';
}

/**
 * The price of one unit of something that is multiplied before it is charged. Ten-thousandths of the major
 * unit; the document may use four decimals. At most eleven digits, so a JSON number carries it exactly.
 */
export const UnitPriceField = priceOf(4);

/**
 * A price that is charged and shown as it stands: ten-thousandths as well, but the document may use only the
 * two decimals that the wire shows, so that nobody sees one price and pays another.
 */
export const Price = priceOf(2);

/** A percentage with up to two decimals, 0 to 100, as hundredths of a percent. */
export const Percent = z.codec(Written, z.int().min(0).max(10_000), {
  decode: (written, ctx): BasisPoints => {
    const reading = readDecimal(written, 2);
    if (reading.ok && reading.value >= 0n && reading.value <= 10_000n) return Number(reading.value);
    const message = reading.ok ? 'must be a percentage from 0 to 100' : reading.problem;
    ctx.issues.push({ code: 'custom', input: written, message });
    return z.NEVER;
  },
  encode: (percent) => Number(formatDecimal(BigInt(percent), 2, 0)),
});

/** What a package costs for a year, a month, an hour. All three exist; a package's durations say what is sold. */
export const Pricings = z.strictObject({ year: Price, month: Price, hour: UnitPriceField });
export type Pricings = z.output<typeof Pricings>;

/** The same for one unit of a freely configured server. */
export const UnitPricings = z.strictObject({
  year: UnitPriceField,
  month: UnitPriceField,
  hour: UnitPriceField,
});
export type UnitPricings = z.output<typeof UnitPricings>;
