import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { useLink } from '../../core/people/mailed-link.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import { lockService, suspend, unsuspend } from '../../selling/subscriptions/suspension.ts';

const setVerified = statement<{ id: string }>(
  'verify_contacts',
  `UPDATE contacts SET verification = 'verified', verification_deadline = NULL, version = version + 1, updated_at = $3
   WHERE account_id = $1 AND lower(email) = lower($2) AND verification <> 'verified' RETURNING id`,
);
// Only what a registry has now can be kept from being reached.
const domainsOf = statement<{ id: string; name: string; tld: string; owner_id: string }>(
  'domains_owned_by',
  `SELECT v.id, v.name, v.tld, v.owner_id FROM domains v JOIN services s ON s.id = v.id
   WHERE v.owner_id = ANY($1::uuid[]) AND v.state IN ('active', 'redemption', 'pending_delete') ORDER BY v.id`,
);

/** Somebody opened the link: whoever has that address in this account has proved it. null: the link is not good. */
export async function verifyByLink(
  tx: Transaction,
  uow: UnitOfWork,
  token: string,
): Promise<{ readonly email: string } | null> {
  const link = await useLink(tx, uow, 'contact_verification', token);
  if (link?.account_id == null) return null;
  await addressProven(tx, uow, link.account_id, link.email);
  return { email: link.email };
}

/** An address of a locked account is proved: its contacts are verified, and what was off for it is on again. */
export async function addressProven(
  tx: Transaction,
  uow: UnitOfWork,
  accountId: string,
  email: string,
): Promise<void> {
  const contacts = await tx.run(setVerified, [accountId, email, uow.now]);
  for (const { id: contactId } of contacts) {
    emit(uow, lockedAccount(uow, accountId), {
      type: 'domain.contact_verified',
      resource: null,
      body: { contact_uuid: contactId },
    });
  }
  for (const { id } of await tx.run(domainsOf, [contacts.map((contact) => contact.id)])) {
    const service = await lockService(tx, uow, id);
    if (service !== null) await unsuspend(tx, uow, service, 'verification');
  }
}

const setFailed = statement<{ id: string; email: string }>(
  'fail_contact_verification',
  `UPDATE contacts SET verification = 'failed', verification_deadline = NULL, version = version + 1, updated_at = $2
   WHERE account_id = $1 AND verification = 'pending' AND verification_deadline <= $2 RETURNING id, email`,
);

/**
 * The time of contacts of a locked account is over: their domains are taken off (rule F10). `isConcerned`: under which TLDs
 * ICANN's rules hold.
 */
export async function verificationFailed(
  tx: Transaction,
  uow: UnitOfWork,
  accountId: string,
  isConcerned: (tld: string) => boolean,
): Promise<void> {
  const contacts = await tx.run(setFailed, [accountId, uow.now]);
  const emails = new Map(contacts.map(({ id, email }) => [id, email]));
  for (const { id, name, tld, owner_id } of await tx.run(domainsOf, [[...emails.keys()]])) {
    const service = isConcerned(tld) ? await lockService(tx, uow, id) : null;
    if (service === null) continue;
    const email = emails.get(owner_id) ?? '';
    await suspend(tx, uow, service, { reason: 'verification', note: `${email} was not proved in time` });
    queueMail(uow, {
      cause: `domain.verification-failed:${id}:${uow.now}`,
      to: { accountId },
      template: 'domain.verification-failed',
      variables: { domain: name, email },
    });
  }
}
