import type { Instant } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';

/** How many keys a webspace may have. */
export const MOST_KEYS = 20;

export interface StoredKey {
  readonly id: string;
  readonly name: string;
  readonly public_key: string;
  readonly fingerprint: string;
  readonly created_at: Instant;
}

const list = statement<StoredKey>(
  'list_sftp_keys',
  `SELECT id, name, public_key, fingerprint, created_at FROM webspace_sftp_keys WHERE webspace_id = $1
   ORDER BY created_at, id`,
);
const insert = statement<object>(
  'insert_sftp_key',
  `INSERT INTO webspace_sftp_keys (id, webspace_id, name, public_key, fingerprint, created_at)
   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (webspace_id, fingerprint) DO NOTHING RETURNING id`,
);
const remove = statement<object>(
  'delete_sftp_key',
  'DELETE FROM webspace_sftp_keys WHERE webspace_id = $1 AND id = $2 RETURNING id',
);

export function listKeys(db: Executor, webspaceId: string): Promise<StoredKey[]> {
  return db.run(list, [webspaceId]);
}

/** Adds a key; false: it is there already. */
export async function addKey(
  tx: Transaction,
  webspaceId: string,
  key: Omit<StoredKey, 'created_at'>,
  now: Instant,
): Promise<boolean> {
  const { id, name, public_key, fingerprint } = key;
  return (await tx.run(insert, [id, webspaceId, name, public_key, fingerprint, now])).length > 0;
}

/** Removes a key; false: there is none. */
export async function removeKey(tx: Transaction, webspaceId: string, id: string): Promise<boolean> {
  return (await tx.run(remove, [webspaceId, id])).length > 0;
}
