/**
 * Decimal text to scaled integers and back: `12.99` at scale 4 is 129900n. A number stands for the decimal
 * that ECMAScript prints for it; it is taken only as far as a double tells decimals apart (15 digits), so
 * what was written is what is read. Nothing here computes with floating point.
 */
export type DecimalReading = { ok: true; value: bigint } | { ok: false; problem: string };

const PLAIN = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;
const DIGITS_OF_A_DOUBLE = 15;

/** Reads a decimal as an integer count of 10^-scale. Digits beyond the scale are accepted only as zeros. */
export function readDecimal(input: string | number, scale: number): DecimalReading {
  const parts = PLAIN.exec(String(input));
  if (parts === null) return { ok: false, problem: 'is not a plain decimal such as 12.99' };
  const [, sign = '', whole = '', fraction = ''] = parts;
  if (typeof input === 'number' && !Number.isSafeInteger(input) && exceedsDouble(whole + fraction)) {
    return { ok: false, problem: 'has too many digits for a number; write it in quotes' };
  }
  if (/[1-9]/.test(fraction.slice(scale))) {
    return { ok: false, problem: `has more than ${scale} decimal places` };
  }
  const magnitude = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  return { ok: true, value: sign === '-' ? -magnitude : magnitude };
}

/** As {@link readDecimal}, for text that must be right. Throws RangeError if it is not. */
export function parseDecimal(input: string | number, scale: number): bigint {
  const reading = readDecimal(input, scale);
  if (!reading.ok) throw new RangeError(`${input} ${reading.problem}`);
  return reading.value;
}

/**
 * The plain decimal text of `value` × 10^-scale. All `scale` decimals are printed unless `minimum` is given:
 * then zeros beyond that many decimals are left out. `parseDecimal` reads the same value back.
 */
export function formatDecimal(value: bigint, scale: number, minimum: number = scale): string {
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  let fraction = digits.slice(digits.length - scale);
  while (fraction.length > minimum && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Whether there are more digits than a double can hold apart. */
function exceedsDouble(digits: string): boolean {
  return digits.replace(/^0+/, '').length > DIGITS_OF_A_DOUBLE;
}
