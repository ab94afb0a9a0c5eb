import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Caller } from '../../../operation.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { scopesWithin } from '../access/scope.ts';
import { endTokensBeyond } from '../access/token.ts';
import { dropLinks, type InvitedRole } from './mailed-link.ts';
import { removeRecoveryCodes } from './recovery-code.ts';

/** A person of an account, as those see them who look after its people. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly email_verified_at: Instant | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly role: Caller['role'];
  readonly state: 'active' | 'disabled';
  readonly totp_confirmed_at: Instant | null;
  readonly created_at: Instant;
}

const COLUMNS =
  'id, email, email_verified_at, first_name, last_name, role, state, totp_confirmed_at, created_at';
const list = statement<User>(
  'list_users',
  `SELECT ${COLUMNS} FROM users WHERE account_id = $1 AND removed_at IS NULL ORDER BY created_at, id`,
);
const lock = statement<User>(
  'lock_user',
  `SELECT ${COLUMNS} FROM users WHERE id = $1 AND account_id = $2 AND removed_at IS NULL FOR NO KEY UPDATE`,
);

/** The account's people, in the order that they came. */
export async function usersOf(db: Executor, accountId: string): Promise<readonly User[]> {
  return await db.run(list, [accountId]);
}

/** A person of this account with their row locked, after the account; null: there is none. */
export async function lockUser(tx: Transaction, accountId: string, id: string): Promise<User | null> {
  const [user] = await tx.run(lock, [id, accountId]);
  return user ?? null;
}

/** Who asks, and of which account, which is locked. */
export interface UserChange {
  readonly uow: UnitOfWork;
  readonly accountId: string;
  readonly byUserId: string;
}

const update = statement<object>('update_user', 'UPDATE users SET role = $2, state = $3 WHERE id = $1');

/**
 * Sets role and state. Their sessions end, so that the next log-in has the new role's scopes, and so do API
 * tokens that may do more than it; a disabled person's API tokens rest until they are active again. The
 * invitations that they sent end with the role that they sent them in.
 */
export async function changeUser(
  tx: Transaction,
  user: User,
  wanted: { readonly role: InvitedRole; readonly state: User['state'] },
  { uow, accountId, byUserId }: UserChange,
): Promise<User> {
  if (wanted.role === user.role && wanted.state === user.state) return user;
  await tx.run(update, [user.id, wanted.role, wanted.state]);
  await endTokensBeyond(tx, user.id, scopesWithin(wanted.role), uow.now);
  await dropLinks(tx, user.id, ['invitation']);
  emit(uow, lockedAccount(uow, accountId), {
    type: 'account.user_changed',
    resource: null,
    body: { user_uuid: user.id, ...wanted, changed_by: byUserId },
  });
  return { ...user, ...wanted };
}

const remove = statement<object>(
  'remove_user',
  `UPDATE users SET state = 'disabled', removed_at = $2, email = $3, email_verified_at = NULL,
     password_hash = NULL, totp_sealed = NULL, totp_confirmed_at = NULL, totp_step = NULL
   WHERE id = $1`,
);

/**
 * Removes a person: nothing lets them in any more, from this commit on. The row stays with their name, because
 * tokens, events and the audit say by its id who did what; the address gives way to a tombstone under .invalid
 * (RFC 2606), so that it can be invited or registered again, as somebody new.
 */
export async function removeUser(
  tx: Transaction,
  user: User,
  { uow, accountId, byUserId }: UserChange,
): Promise<void> {
  await tx.run(remove, [user.id, uow.now, `${user.id}@removed.invalid`]);
  await endTokensBeyond(tx, user.id, [], uow.now);
  await removeRecoveryCodes(tx, user.id);
  await dropLinks(tx, user.id, ['email_verification', 'password_reset', 'invitation']);
  emit(uow, lockedAccount(uow, accountId), {
    type: 'account.user_removed',
    resource: null,
    body: { user_uuid: user.id, removed_by: byUserId },
  });
}
