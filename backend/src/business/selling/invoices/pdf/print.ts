import { formatDecimal } from '../../../../base/decimal.ts';
import { type Amount, type BasisPoints, divideRounded } from '../../../../base/money.ts';
import type { Instant } from '../../../../base/time.ts';
import type { Locale } from '../../../../operation.ts';

/** Amounts, rates and dates as people of a language write them. */
export interface Print {
  amount(value: Amount): string;
  /** What one costs of `quantity` that cost `net` together; more than two decimals only where two are not exact. */
  unitPrice(net: Amount, quantity: number): string;
  rate(value: BasisPoints): string;
  date(day: Temporal.PlainDate): string;
  /** From a moment to the last day before another. */
  period(from: Instant, to: Instant): string;
}

const TAGS: Readonly<Record<Locale, string>> = { en: 'en-GB', de: 'de-DE' };

export function printIn(locale: Locale, currency: string, timeZone: string): Print {
  const tag = TAGS[locale];
  const number = (fraction: number, options: Intl.NumberFormatOptions = {}) =>
    new Intl.NumberFormat(tag, { ...options, maximumFractionDigits: fraction });
  const price = number(4, { style: 'currency', currency, minimumFractionDigits: 2 });
  const rate = number(2);
  const date = (day: Temporal.PlainDate) => printDate(day, locale);
  // A decimal text is formatted as it is: nothing passes a floating-point number.
  const money = (value: bigint, scale: number) =>
    price.format(formatDecimal(value, scale) as Intl.StringNumericLiteral);
  return {
    amount: (value) => money(value, 2),
    unitPrice: (net, quantity) => money(divideRounded(net * 100n, BigInt(quantity)), 4),
    rate: (value) => `${rate.format(formatDecimal(BigInt(value), 2) as Intl.StringNumericLiteral)} %`,
    date,
    period(from, to) {
      const first = from.toZonedDateTimeISO(timeZone).toPlainDate();
      const last = to.subtract({ seconds: 1 }).toZonedDateTimeISO(timeZone).toPlainDate();
      return first.equals(last) ? date(first) : `${date(first)} – ${date(last)}`;
    },
  };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** By hand: Intl takes a quarter of a millisecond for a date, and a long invoice has a thousand. */
function printDate({ day, month, year }: Temporal.PlainDate, locale: Locale): string {
  const padded = (part: number) => String(part).padStart(2, '0');
  return locale === 'de' ? `${padded(day)}.${padded(month)}.${year}` : `${day} ${MONTHS[month - 1]} ${year}`;
}
