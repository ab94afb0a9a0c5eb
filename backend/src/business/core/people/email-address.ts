import type { Sealer } from '../../../base/seal.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import { claimEmail } from '../accounts/customer.ts';
import { dropLinks, issueLink, useLink } from './mailed-link.ts';
import { type LockedPerson, lockPerson } from './person.ts';

type Addressee = Pick<LockedPerson, 'id' | 'account_id' | 'locale'>;

/** Mails a link that proves the address, in place of one that is open: for their own, or for one that they want. */
export async function requestVerification(
  tx: Transaction,
  uow: UnitOfWork,
  person: Addressee,
  email: string,
  { sealer, publicUrl }: { readonly sealer: Sealer; readonly publicUrl: string },
): Promise<void> {
  await dropLinks(tx, person.id, ['email_verification']);
  const draft = { user_id: person.id, account_id: person.account_id, email, role: null };
  const { id, link } = await issueLink(tx, 'email_verification', draft, { publicUrl, now: uow.now });
  queueMail(uow, {
    cause: `email-verification:${id}`,
    to: { address: email, locale: person.locale, accountId: person.account_id },
    template: 'account.email-verification',
    variables: {},
    secrets: { link },
    sealer,
  });
}

const dropWanted = statement<object>(
  'drop_wanted_email',
  `DELETE FROM mailed_links
   WHERE user_id = $1 AND purpose = 'email_verification' AND used_at IS NULL AND email <> $2`,
);

/** Ends a change of address that waits to be proved: who asked for it may not be who they said they were. */
export async function dropWantedAddress(
  tx: Transaction,
  person: Pick<LockedPerson, 'id' | 'email'>,
): Promise<void> {
  await tx.run(dropWanted, [person.id, person.email]);
}

const open = statement<{ email: string }>(
  'open_verification',
  `SELECT email FROM mailed_links
   WHERE user_id = $1 AND purpose = 'email_verification' AND used_at IS NULL AND expires_at > $2
   ORDER BY created_at DESC LIMIT 1`,
);

/** The address that waits to be proved: one that they want, else their own; null: there is none. */
export async function unprovedAddress(
  tx: Transaction,
  uow: UnitOfWork,
  person: LockedPerson,
): Promise<string | null> {
  const [wanted] = await tx.run(open, [person.id, uow.now]);
  if (wanted !== undefined) return wanted.email;
  return person.email_verified_at === null ? person.email : null;
}

const set = statement<object>(
  'set_email',
  'UPDATE users SET email = $2, email_verified_at = $3 WHERE id = $1',
);

export type VerifyOutcome =
  | { readonly kind: 'invalid' }
  /** Somebody else has taken the address meanwhile. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'verified'; readonly email: string; readonly changed: boolean };

/**
 * What following such a link does: the address is proved, and becomes theirs if it was not. Then the links that
 * were mailed to the old address end, and it is told.
 */
export async function verifyEmail(
  tx: Transaction,
  uow: UnitOfWork,
  secret: string,
  { requestId, ip }: { readonly requestId: string; readonly ip: string },
): Promise<VerifyOutcome> {
  const link = await useLink(tx, uow, 'email_verification', secret);
  if (link === null) return { kind: 'invalid' };
  const person = await lockPerson(tx, link.user_id);
  if (person.state !== 'active') return { kind: 'invalid' };
  const { email } = link;
  const changed = email !== person.email;
  if (changed && !(await claimEmail(tx, email))) return { kind: 'taken' };
  await tx.run(set, [person.id, email, uow.now]);
  if (changed) {
    await dropLinks(tx, person.id, ['email_verification', 'password_reset']);
    if (person.account_id !== null) {
      emit(uow, lockedAccount(uow, person.account_id), {
        type: 'account.email_changed',
        resource: null,
        body: { user_uuid: person.id },
      });
    }
    queueMail(uow, {
      cause: `account.email-changed:${requestId}`,
      to: { address: person.email, locale: person.locale, accountId: person.account_id },
      template: 'account.email-changed',
      variables: { email, ip },
    });
  }
  return { kind: 'verified', email, changed };
}
