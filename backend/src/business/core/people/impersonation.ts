import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockInto, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import { IMPERSONATION_SCOPES } from '../access/scope.ts';
import { issueToken, newTokenSecret } from '../access/token.ts';
import { lockPerson, nameOf } from './person.ts';

const HOURS = 1;

const ownerOf = statement<{ id: string }>(
  'owner_of',
  `SELECT id FROM users WHERE account_id = $1 AND role = 'owner' AND state = 'active' ORDER BY created_at LIMIT 1`,
);

export type ImpersonationOutcome =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'closed' }
  | {
      readonly kind: 'begun';
      readonly tokenId: string;
      readonly secret: string;
      readonly expiresAt: Instant;
    };

/**
 * A session in the place of a customer's owner, for an hour and not longer. The customer sees it among the
 * tokens, where they can end it, in the account's log, and in a mail; what is done with it is audited with the
 * token's id, which leads to the operator.
 */
export async function impersonate(
  tx: Transaction,
  uow: UnitOfWork,
  operatorId: string,
  { accountId, reason }: { readonly accountId: string; readonly reason: string },
): Promise<ImpersonationOutcome> {
  const account = await lockInto(tx, uow, accountId);
  if (account === null) return { kind: 'not_found' };
  if (account.state === 'closed') return { kind: 'closed' };
  const [owner] = await tx.run(ownerOf, [accountId]);
  if (owner === undefined) return { kind: 'not_found' };
  const operator = nameOf(await lockPerson(tx, operatorId));
  const secret = newTokenSecret();
  const expiresAt = uow.now.add({ hours: HOURS });
  const tokenId = await issueToken(
    tx,
    {
      accountId,
      userId: owner.id,
      kind: 'session',
      name: operator.slice(0, 100),
      scopes: IMPERSONATION_SCOPES,
      expiresAt,
      impersonatedBy: operatorId,
    },
    secret,
    uow.now,
  );
  emit(uow, account, {
    type: 'account.accessed_by_operator',
    resource: null,
    body: { token_uuid: tokenId, operator, reason, expires_at: expiresAt },
  });
  queueMail(uow, {
    cause: `accessed-by-operator:${tokenId}`,
    to: { accountId },
    template: 'account.accessed-by-operator',
    variables: { operator, reason },
  });
  return { kind: 'begun', tokenId, secret, expiresAt };
}
