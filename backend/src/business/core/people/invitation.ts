import { randomUUIDv7 } from 'node:crypto';
import type { Sealer } from '../../../base/seal.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Caller } from '../../../operation.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import { claimEmail, insertPerson, type PersonDraft } from '../accounts/customer.ts';
import { type FreshLink, type InvitedRole, issueLink, useLink } from './mailed-link.ts';
import { type LockedPerson, plainNameOf } from './person.ts';

const replace = statement<object>(
  'replace_invitation',
  `DELETE FROM mailed_links
   WHERE account_id = $1 AND purpose = 'invitation' AND email = $2 AND used_at IS NULL`,
);

/**
 * Invites an address, in place of an open invitation of it. Whether somebody has the address elsewhere is not
 * asked here, where the answer would tell it, but when the invitation is accepted.
 */
export async function invite(
  tx: Transaction,
  uow: UnitOfWork,
  by: LockedPerson & { readonly account_id: string },
  invited: { readonly email: string; readonly role: InvitedRole },
  { sealer, publicUrl }: { readonly sealer: Sealer; readonly publicUrl: string },
): Promise<FreshLink> {
  await tx.run(replace, [by.account_id, invited.email]);
  const draft = { user_id: by.id, account_id: by.account_id, ...invited };
  const fresh = await issueLink(tx, 'invitation', draft, { publicUrl, now: uow.now });
  queueMail(uow, {
    cause: `invitation:${fresh.id}`,
    to: { address: invited.email, locale: by.locale, accountId: by.account_id },
    template: 'account.invitation',
    variables: { invited_by: plainNameOf(by), role: invited.role },
    secrets: { link: fresh.link },
    sealer,
  });
  emit(uow, lockedAccount(uow, by.account_id), {
    type: 'account.user_invited',
    resource: null,
    body: { invitation_uuid: fresh.id, role: invited.role, invited_by: by.id },
  });
  return fresh;
}

export type AcceptOutcome =
  | { readonly kind: 'invalid' }
  /** Somebody has the address already, here or in another account. */
  | { readonly kind: 'exists' }
  | { readonly kind: 'joined'; readonly userId: string; readonly email: string; readonly role: InvitedRole };

/** Adds the invited person. That the link arrived proves the address. */
export async function acceptInvitation(
  tx: Transaction,
  uow: UnitOfWork,
  secret: string,
  draft: Omit<PersonDraft, 'email'>,
): Promise<AcceptOutcome> {
  const link = await useLink(tx, uow, 'invitation', secret);
  if (link === null || link.account_id === null || link.role === null) return { kind: 'invalid' };
  const account = lockedAccount(uow, link.account_id);
  if (account.state === 'closed') return { kind: 'invalid' };
  if (!(await claimEmail(tx, link.email))) return { kind: 'exists' };
  const userId = randomUUIDv7();
  const person = { ...draft, email: link.email, emailVerifiedAt: uow.now };
  await insertPerson(tx, userId, account.id, link.role, person, uow.now);
  emit(uow, account, {
    type: 'account.user_joined',
    resource: null,
    body: { user_uuid: userId, role: link.role },
  });
  return { kind: 'joined', userId, email: link.email, role: link.role };
}

const revoke = statement<object>(
  'revoke_invitation',
  `DELETE FROM mailed_links WHERE id = $1 AND account_id = $2 AND purpose = 'invitation' AND used_at IS NULL
     AND expires_at > $3 RETURNING 1 AS one`,
);

/** Takes an open invitation back. false: the account has no such one. */
export async function revokeInvitation(
  tx: Transaction,
  accountId: string,
  id: string,
  now: Instant,
): Promise<boolean> {
  return (await tx.run(revoke, [id, accountId, now])).length > 0;
}

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Caller['role'];
  readonly created_at: Instant;
  readonly expires_at: Instant;
}

const list = statement<Invitation>(
  'list_invitations',
  `SELECT id, email, role, created_at, expires_at FROM mailed_links
   WHERE account_id = $1 AND purpose = 'invitation' AND used_at IS NULL AND expires_at > $2 ORDER BY created_at, id`,
);

/** The account's invitations that wait. */
export async function openInvitations(
  db: Executor,
  accountId: string,
  now: Instant,
): Promise<readonly Invitation[]> {
  return await db.run(list, [accountId, now]);
}
