import type { Locale } from '../../../operation.ts';
import type { Seller } from '../../core/catalog/schema/seller.ts';
import type { Block } from './block.ts';

/** A mail's content with what stands around it: the same for its plain text and its HTML. */
export interface Email {
  readonly locale: Locale;
  readonly subject: string;
  readonly greeting: string;
  readonly blocks: readonly Block[];
  /** Lines. */
  readonly signature: readonly string[];
}

const HELLO: Readonly<Record<Locale, string>> = { en: 'Hello', de: 'Guten Tag' };

/** `name` may be empty. */
export function letter(
  locale: Locale,
  { name, seller, ...content }: Pick<Email, 'subject' | 'blocks'> & { name: string; seller: Seller | null },
): Email {
  const greeting = name === '' ? `${HELLO[locale]},` : `${HELLO[locale]} ${name},`;
  return { locale, greeting, signature: signatureOf(locale, seller), ...content };
}

const AUTOMATIC: Readonly<Record<Locale, string>> = {
  en: 'This e-mail was sent automatically.',
  de: 'Diese E-Mail wurde automatisch versendet.',
};
const QUESTIONS: Readonly<Record<Locale, string>> = { en: 'Questions?', de: 'Fragen?' };

function signatureOf(locale: Locale, seller: Seller | null): readonly string[] {
  if (seller === null) return [AUTOMATIC[locale]];
  const { name, street, zip, city, country, email, website, legal } = seller;
  return [
    name,
    `${street}, ${zip} ${city}, ${countryName(locale, country)}`,
    ...legal,
    ...(website === undefined ? [] : [website]),
    `${AUTOMATIC[locale]} ${QUESTIONS[locale]} ${email}`,
  ];
}

function countryName(locale: Locale, code: string): string {
  return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code;
}
