import type { TermUnit } from '../../../base/time.ts';
import type { Locale } from '../../../operation.ts';

type Words<K extends string> = Readonly<Record<Locale, Readonly<Record<K, string>>>>;

const PRODUCTS: Words<'license' | 'server' | 'webspace' | 'domain'> = {
  en: { license: 'License', server: 'Server', webspace: 'Webspace', domain: 'Domain' },
  de: { license: 'Lizenz', server: 'Server', webspace: 'Webspace', domain: 'Domain' },
};
const UNITS: Words<TermUnit> = {
  en: { hour: 'hour', month: 'month', year: 'year' },
  de: { hour: 'Stunde', month: 'Monat', year: 'Jahr' },
};
const MANY: Words<TermUnit> = {
  en: { hour: 'hours', month: 'months', year: 'years' },
  de: { hour: 'Stunden', month: 'Monate', year: 'Jahre' },
};
const RENEWAL: Readonly<Record<Locale, string>> = { en: 'renewal', de: 'Verlängerung' };
const REFUND: Readonly<Record<Locale, string>> = { en: 'Refund', de: 'Erstattung' };
const DISCOUNT: Readonly<Record<Locale, string>> = { en: 'Discount', de: 'Rabatt' };

/** Parts that prices are made of, in German. Names of packages and systems are the operator's own and stay. */
const PARTS: Readonly<Record<string, string>> = {
  Core: 'Kern',
  'GiB of memory': 'GiB Arbeitsspeicher',
  'GiB of disk': 'GiB Festplatte',
  '100 Mbit/s of uplink': '100 Mbit/s Anbindung',
  'IPv4 address': 'IPv4-Adresse',
  'Backup slot': 'Sicherungsplatz',
  'Set-up': 'Einrichtung',
  'Change of owner': 'Inhaberwechsel',
};

export interface TitledOrder {
  readonly product: 'license' | 'server' | 'webspace' | 'domain';
  readonly action: 'create' | 'renew' | 'extra';
  readonly service_name: string;
  readonly duration: number;
  readonly duration_unit: TermUnit;
}

/** What was ordered, such as `Server web1, renewal, 3 months`. */
export function titleOf(order: TitledOrder, locale: Locale): string {
  const { product, action, service_name: name, duration, duration_unit: unit } = order;
  const term = `${duration} ${(duration === 1 ? UNITS : MANY)[locale][unit]}`;
  // Its lines say what.
  if (action === 'extra') return `${PRODUCTS[locale][product]} ${name}`;
  const renewal = action === 'renew' ? `, ${RENEWAL[locale]}` : '';
  return `${PRODUCTS[locale][product]} ${name}${renewal}, ${term}`;
}

/** A line of a price in the buyer's language; what the orders say is English. */
export function describeLine(description: string, locale: Locale): string {
  if (locale === 'en') return description;
  const priced = /^(.*) \((hour|month|year)\)$/.exec(description);
  if (priced === null) return PARTS[description] ?? termDiscount(description);
  const [, part = '', unit = 'month'] = priced;
  const named = PARTS[part] ?? part.replace(/ license$/, '-Lizenz');
  return `${named} (${UNITS.de[unit as TermUnit]})`;
}

function termDiscount(description: string): string {
  return description.replace(
    /^([\d.]+) % off for (\d+) (hour|month|year)s?$/,
    (_, percent: string, count: string, unit: TermUnit) =>
      `${percent.replace('.', ',')} % Rabatt für ${count} ${(count === '1' ? UNITS : MANY).de[unit]}`,
  );
}

export function describeDiscount(code: string | null, locale: Locale): string {
  return code === null ? DISCOUNT[locale] : `${DISCOUNT[locale]} ${code}`;
}

/** The one line of a credit note: what is paid back of an order, and why. */
export function describeRefund(reason: string, locale: Locale): string {
  return reason === '' ? REFUND[locale] : `${REFUND[locale]}: ${reason}`;
}

/** How an invoice was paid, or a credit note pays back. */
export const PAID_FROM_BALANCE: Readonly<
  Record<'invoice' | 'credit_note', Readonly<Record<Locale, string>>>
> = {
  invoice: {
    en: 'Paid from your prepaid balance: nothing is due.',
    de: 'Aus Ihrem Guthaben bezahlt: Es ist nichts zu überweisen.',
  },
  credit_note: {
    en: 'Paid back to your balance.',
    de: 'Ihrem Guthaben gutgeschrieben.',
  },
};
