import type { Locale } from '../../../operation.ts';
import type { OutgoingMail } from './outgoing.ts';

export interface Recipient {
  readonly address: string;
  readonly locale: Locale;
  readonly timeZone: string;
  /** How they are greeted; may be empty. */
  readonly name: string;
}

/** What closing an account leads to is told all the same. */
const OF_CLOSING: readonly string[] = ['account.closed', 'service.cancelled', 'invoice.issued'];

/** Who gets a mail, as they are now; or why nobody does. */
export function recipientOf(mail: OutgoingMail): Recipient | { readonly reason: string } {
  if (mail.account_state === 'closed' && !OF_CLOSING.includes(mail.template))
    return { reason: 'the account is closed' };
  if (mail.recipient !== null)
    return { address: mail.recipient, locale: localeOf(mail.locale), timeZone: 'UTC', name: '' };
  if (mail.email === null) return { reason: 'the recipient is gone' };
  if (mail.user_state !== 'active') return { reason: 'the recipient is disabled' };
  return {
    address: mail.email,
    locale: localeOf(mail.user_locale),
    timeZone: mail.timezone ?? 'UTC',
    // To an address that may be a stranger's, no name goes that whoever registered with it has typed.
    name: mail.email_verified === true ? (mail.name ?? '') : '',
  };
}

function localeOf(text: string | null): Locale {
  return text === 'de' ? 'de' : 'en';
}
