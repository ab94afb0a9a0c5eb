import { randomUUIDv7 } from 'node:crypto';
import type { Sealer } from '../../../base/seal.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { deliverSoon, queueMail } from '../../notifications/mail/outbox.ts';
import { linkTo, newLink } from './mailed-link.ts';

const request = statement<{ user_id: string; account_id: string | null }>(
  'request_password_reset',
  `WITH person AS (
     SELECT u.id, u.account_id, u.email FROM users u LEFT JOIN accounts a ON a.id = u.account_id
     WHERE u.email = $1 AND u.state = 'active' AND coalesce(a.state <> 'closed', true)
   ), gone AS (
     DELETE FROM mailed_links WHERE user_id IN (SELECT id FROM person) AND purpose = 'password_reset' AND used_at IS NULL
   )
   INSERT INTO mailed_links (id, purpose, hash, user_id, account_id, email, created_at, expires_at)
   SELECT $2, 'password_reset', $3, id, account_id, email, $4, $5 FROM person RETURNING user_id, account_id`,
);

/**
 * Mails a link to whom the address belongs, in place of one that is open. The same statements run for an
 * address that nobody has, so that neither the answer nor its time tells whether somebody does.
 */
export async function requestPasswordReset(
  tx: Transaction,
  uow: UnitOfWork,
  email: string,
  { sealer, publicUrl }: { readonly sealer: Sealer; readonly publicUrl: string },
): Promise<void> {
  const { secret, hash, expiresAt } = newLink('password_reset', uow.now);
  const id = randomUUIDv7();
  const [person] = await tx.run(request, [email, id, hash, uow.now, expiresAt]);
  if (person === undefined) return deliverSoon(uow);
  queueMail(uow, {
    cause: `password-reset:${id}`,
    to: { userId: person.user_id, accountId: person.account_id },
    template: 'account.password-reset',
    variables: {},
    secrets: { link: linkTo('password_reset', secret, publicUrl) },
    sealer,
  });
}
