import type { Instant } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';

/** How many keys an account may keep. */
export const MOST_ACCOUNT_KEYS = 100;

/** A public key that a customer keeps, to install servers with. */
export interface AccountKey {
  readonly id: string;
  readonly name: string;
  readonly public_key: string;
  /** As OpenSSH prints it: `SHA256:…`. */
  readonly fingerprint: string;
  readonly created_at: Instant;
}

const list = statement<AccountKey>(
  'list_ssh_keys',
  `SELECT id, name, public_key, fingerprint, created_at FROM ssh_keys WHERE account_id = $1
   ORDER BY created_at, id`,
);
const insert = statement<object>(
  'insert_ssh_key',
  `INSERT INTO ssh_keys (id, account_id, name, public_key, fingerprint, created_at)
   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account_id, fingerprint) DO NOTHING RETURNING id`,
);
const remove = statement<object>(
  'delete_ssh_key',
  'DELETE FROM ssh_keys WHERE account_id = $1 AND id = $2 RETURNING id',
);

export function listAccountKeys(db: Executor, accountId: string): Promise<AccountKey[]> {
  return db.run(list, [accountId]);
}

/** Adds a key; false: the account has it already. */
export async function addAccountKey(tx: Transaction, accountId: string, key: AccountKey): Promise<boolean> {
  const { id, name, public_key, fingerprint, created_at } = key;
  return (await tx.run(insert, [id, accountId, name, public_key, fingerprint, created_at])).length > 0;
}

/** Removes a key; false: the account has none such. Servers that were installed with it keep it. */
export async function removeAccountKey(tx: Transaction, accountId: string, id: string): Promise<boolean> {
  return (await tx.run(remove, [accountId, id])).length > 0;
}
