import { parseWireTime } from '../../../base/time.ts';
import type { Locale } from '../../../operation.ts';

/** How a mail's values are printed for its reader. What is not in the expected form is printed as it is. */
export interface Printing {
  /** Of `1234.50 EUR`. */
  amount(text: string): string;
  /** Of a wire timestamp, in the reader's time zone, which is named. */
  moment(text: string): string;
  /** Of `2027-01`. */
  month(text: string): string;
  /** Of a way to pay, such as `stripe`. */
  paymentMethod(name: string): string;
}

/** What a way to pay is called; null: it has no name but its own. */
export type MethodTitles = (method: string) => Readonly<Record<Locale, string>> | null;

const LANGUAGE_TAGS: Readonly<Record<Locale, string>> = { en: 'en-GB', de: 'de-DE' };

export function printingFor(locale: Locale, timeZone: string, titleOf: MethodTitles): Printing {
  const tag = LANGUAGE_TAGS[locale];
  const decimals = new Intl.NumberFormat(tag, { minimumFractionDigits: 2 });
  const moments = momentFormat(tag, timeZone);
  const months = new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return {
    amount(text) {
      const match = /^(-?\d+\.\d{2}) ([A-Z]{3})$/.exec(text);
      // A decimal text is formatted exactly; as a number it would be a float.
      return match === null ? text : `${decimals.format(match[1] as Intl.StringNumericLiteral)} ${match[2]}`;
    },
    moment(text) {
      const instant = parseWireTime(text);
      return instant === null ? text : moments.format(instant.epochMilliseconds);
    },
    month(text) {
      const first = parseWireTime(`${text}-01 00:00:00`);
      return first === null ? text : months.format(first.epochMilliseconds);
    },
    paymentMethod: (name) => titleOf(name)?.[locale] ?? name,
  };
}

function momentFormat(tag: string, timeZone: string): Intl.DateTimeFormat {
  const format = (zone: string) =>
    new Intl.DateTimeFormat(tag, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: zone,
      timeZoneName: 'short',
    });
  try {
    return format(timeZone);
  } catch {
    // A zone that this machine does not know.
    return format('UTC');
  }
}
