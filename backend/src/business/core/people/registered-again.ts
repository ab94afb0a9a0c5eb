import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { deliverSoon, queueMail } from '../../notifications/mail/outbox.ts';

const find = statement<{ id: string; account_id: string | null }>(
  'registered_person',
  `SELECT u.id, u.account_id FROM users u LEFT JOIN accounts a ON a.id = u.account_id
   WHERE u.email = $1 AND u.state = 'active' AND coalesce(a.state <> 'closed', true)`,
);

/** What opening an account and its link takes beyond that. */
const STATEMENTS_OF_A_NEW_ONE = 4;

/**
 * Tells whom the address belongs to that somebody wanted to open an account with it, instead of the one who did. As many
 * statements run as for a new account, so that the time of the answer tells as little as the answer.
 */
export async function notifyRegisteredAgain(
  tx: Transaction,
  uow: UnitOfWork,
  email: string,
  { ip, requestId }: { readonly ip: string; readonly requestId: string },
): Promise<void> {
  const [person] = await tx.run(find, [email]);
  for (let run = 1; run < STATEMENTS_OF_A_NEW_ONE; run += 1) await tx.run(find, [email]);
  if (person === undefined) return deliverSoon(uow);
  queueMail(uow, {
    cause: `already-registered:${requestId}`,
    to: { userId: person.id, accountId: person.account_id },
    template: 'account.already-registered',
    variables: { ip },
  });
}
