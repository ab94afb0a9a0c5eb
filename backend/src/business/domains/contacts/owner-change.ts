import type { ContactCard } from './contact.ts';

/**
 * Whether a domain gets another owner, rather than the same one another address. ICANN's Transfer Policy (II.A.1) calls
 * it material when the name, the organisation or, where its rules hold, the e-mail address changes, as more than a
 * correction: only upper and lower case and spaces are taken for that.
 */
export function isOwnerChange(before: ContactCard, after: ContactCard, generic: boolean): boolean {
  const told = ({ type, first_name, last_name, company, email }: ContactCard) =>
    [
      type === 'organisation' ? (company ?? '') : `${first_name} ${last_name}`,
      type === 'organisation' ? '' : (company ?? ''),
      generic ? email : '',
    ].map((text) => text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim());
  return told(before).join('\n') !== told(after).join('\n');
}
