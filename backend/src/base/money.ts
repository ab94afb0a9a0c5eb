/**
 * Amounts are integers in minor units (cents); unit prices are integers in ten-thousandths of the major
 * unit, because hourly prices need four decimals. Neither is ever a floating-point number; the wire's
 * numbers are made by one exact division at the edge.
 */
export type Amount = bigint;
export type UnitPrice = bigint;

/** Hundredths of a percent: 19 % is 1900. */
export type BasisPoints = number;

const UNIT_PRICE_PER_AMOUNT = 100n;

/**
 * Division that rounds half away from zero: the project's only rounding, done once per charge.
 * `divisor` must be positive.
 */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend;
  const rounded = (2n * magnitude + divisor) / (2n * divisor);
  return dividend < 0n ? -rounded : rounded;
}

/** Ten-thousandths of the major unit to minor units. */
export function amountOf(price: UnitPrice): Amount {
  return divideRounded(price, UNIT_PRICE_PER_AMOUNT);
}

/** The share of an amount, e.g. a discount of 12.5 % (1250) of 9.99. */
export function shareOf(amount: Amount, share: BasisPoints): Amount {
  return divideRounded(amount * BigInt(share), 10_000n);
}

/** The tax inside a gross amount; net is the rest, so that net + tax is the gross that was shown. */
export function taxWithin(gross: Amount, rate: BasisPoints): Amount {
  return divideRounded(gross * BigInt(rate), 10_000n + BigInt(rate));
}

/** Cents as the wire's number. Exact for amounts below 2^53 cents: a quotient of integers prints shortest. */
export function wireAmount(amount: Amount): number {
  return Number(amount) / 100;
}

/** A unit price as the wire's number, at most four decimals. */
export function wireUnitPrice(price: UnitPrice): number {
  return Number(price) / 10_000;
}

/** A gross amount for a person: `12.30 EUR`. */
export function printAmount(amount: Amount, currency: string): string {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)} ${currency}`;
}

/** The wire's money number to cents: exact, at most two decimals, or null. */
export function parseWireAmount(value: number): Amount | null {
  const cents = Math.round(value * 100);
  if (!Number.isSafeInteger(cents) || cents / 100 !== value) return null;
  return BigInt(cents);
}

/** An amount as a person writes it, such as `50`, `-3.20` or `+10.00`; null when it is none. */
export function parseAmount(text: string): Amount | null {
  const match = /^([+-]?)(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (match === null) return null;
  const cents = BigInt(`${match[2]}${(match[3] ?? '').padEnd(2, '0')}`);
  return match[1] === '-' ? -cents : cents;
}
