import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { removeWebhook, webhooksOf } from '../../notifications/webhooks/webhook.ts';
import { endTokensBeyond } from '../access/token.ts';
import { dropLinks } from './mailed-link.ts';
import type { LockedPerson } from './person.ts';
import { dropSecondFactor } from './second-factor.ts';
import type { SecurityChange } from './security-change.ts';
import { removeUser, usersOf } from './user.ts';

/** The owner of an account whose address nobody has shown to be theirs. */
export type UnprovedOwner = LockedPerson & { readonly account_id: string };

export function isUnprovedOwner(person: LockedPerson): person is UnprovedOwner {
  return person.role === 'owner' && person.account_id !== null && person.email_verified_at === null;
}

const prove = statement<object>('prove_email', 'UPDATE users SET email_verified_at = $2 WHERE id = $1');

/**
 * Gives an account to whoever reads the mail of its owner's address: whoever registered with it may have been somebody
 * else. The address is proved by that, and all that lets others in ends: the second factor, tokens, the other people,
 * invitations, and webhooks, which would go on telling them. The account must be locked.
 */
export async function takeOver(
  tx: Transaction,
  { id, account_id: accountId }: UnprovedOwner,
  { uow }: SecurityChange,
): Promise<void> {
  const { now } = uow;
  await tx.run(prove, [id, now]);
  await dropSecondFactor(tx, id);
  await endTokensBeyond(tx, id, [], now);
  await dropLinks(tx, id, ['email_verification', 'invitation']);
  for (const other of await usersOf(tx, accountId)) {
    if (other.id !== id) await removeUser(tx, other, { uow, accountId, byUserId: id });
  }
  for (const webhook of await webhooksOf(tx, accountId)) await removeWebhook(tx, accountId, webhook.id, now);
}
