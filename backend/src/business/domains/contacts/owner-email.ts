import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

const load = statement<{ email: string }>(
  'load_owner_email',
  "SELECT email FROM users WHERE account_id = $1 AND role = 'owner'",
);

/** The e-mail address of an account's owner. */
export async function ownerEmail(db: Executor, accountId: string): Promise<string> {
  const [owner] = await db.run(load, [accountId]);
  if (owner === undefined) throw new Error(`account ${accountId} has no owner`);
  return owner.email;
}
