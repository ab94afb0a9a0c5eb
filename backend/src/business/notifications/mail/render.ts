import type { MailMessage } from '../../../drivers/mail/port.ts';
import type { Locale } from '../../../operation.ts';
import type { Seller } from '../../core/catalog/schema/seller.ts';
import { type Email, letter } from './email.ts';
import { hypertext } from './hypertext.ts';
import { plainText } from './plain.ts';
import { type MethodTitles, printingFor } from './printing.ts';
import type { MailTemplate } from './template.ts';
import type { MailTexts, MailValues } from './text.ts';
import { accountTexts } from './texts/account.ts';
import { domainTexts } from './texts/domain.ts';
import { invoiceTexts } from './texts/invoice.ts';
import { paymentTexts } from './texts/payment.ts';
import { serviceTexts } from './texts/service.ts';
import { statementTexts } from './texts/statement.ts';
import { ticketTexts } from './texts/ticket.ts';

const TEXTS: MailTexts<MailTemplate> = {
  ...accountTexts,
  ...invoiceTexts,
  ...paymentTexts,
  ...domainTexts,
  ...serviceTexts,
  ...statementTexts,
  ...ticketTexts,
};

/** Who reads a mail, and whose it is. */
export interface MailReader {
  readonly locale: Locale;
  readonly timeZone: string;
  /** How they are greeted; may be empty. */
  readonly name: string;
}

export type RenderedMail = Pick<MailMessage, 'subject' | 'text' | 'html'>;

/** false: a newer version of the program queued it. */
export function isMailTemplate(name: string): name is MailTemplate {
  return Object.hasOwn(TEXTS, name);
}

/** A template's text with its values in it, for one reader. */
export function renderMail<T extends MailTemplate>(
  template: T,
  values: MailValues<T>,
  { locale, timeZone, name }: MailReader,
  seller: Seller | null,
  titleOf: MethodTitles = () => null,
): RenderedMail {
  const content = TEXTS[template][locale](shown(values), printingFor(locale, timeZone, titleOf));
  return renderEmail(letter(locale, { ...content, name: greetedName(name), seller }));
}

export function renderEmail(content: Email): RenderedMail {
  return { subject: content.subject, text: plainText(content), html: hypertext(content) };
}

const MAX_LENGTH = 300;
// Line breaks and other controls, and what turns the direction of the text around it.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** The values as a line can show them. Links are not texts: they are kept whole, and checked where they are used. */
function shown<V>(value: V): V;
function shown(value: unknown): unknown {
  if (typeof value === 'string') return isLink(value) ? value : oneLine(value);
  if (Array.isArray(value)) return value.map((item) => shown(item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]));
  return value;
}

function oneLine(text: string): string {
  const line = text.replace(UNPRINTABLE, ' ').trim();
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1)}…`;
}

function isLink(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text);
}

/** Names are chosen freely: one that readers' programs would make a link of is left out. */
function greetedName(name: string): string {
  const line = oneLine(name);
  return /[:/@]|\w\.\w/.test(line) ? '' : line;
}
