import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { type MailRecipient, queueMail } from '../../notifications/mail/outbox.ts';
import type { Domain } from '../domain.ts';
import type { ContactCard } from './contact.ts';

/** A change of owner that somebody asked for. */
export interface OwnerChangeNotice {
  readonly changeId: string;
  readonly domain: string;
  readonly newOwner: string;
  /** Where it was asked for from. */
  readonly ip: string;
}

/**
 * Tells the account's owner that a domain gets another owner, and the present one, who may not know of it, where they have
 * another address. null: they are not known, or were asked.
 */
export function notifyOwnerChange(
  uow: UnitOfWork,
  { account_id: accountId }: Domain,
  { changeId, domain, newOwner, ip }: OwnerChangeNotice,
  present: ContactCard | null,
  accountEmail: string,
): void {
  const tell = (to: MailRecipient, cause: string) =>
    queueMail(uow, {
      cause,
      to,
      template: 'domain.owner-changed',
      variables: { domain, new_owner: newOwner, ip },
    });
  tell({ accountId }, `domain.owner-changed:${changeId}`);
  if (present === null || present.email.toLowerCase() === accountEmail.toLowerCase()) return;
  const locale = present.language.startsWith('de') ? 'de' : 'en';
  tell({ address: present.email, locale, accountId }, `domain.owner-changed:${changeId}:present`);
}
