import type { Transaction } from '../../db/transaction.ts';
import { type License, lockLicenses } from './license.ts';

/** Locks licenses of these accounts for renewal (after the accounts). By id; what is not theirs is missing. */
export async function loadForRenewal(
  tx: Transaction,
  keys: readonly { accountId: string; uuid: string }[],
): Promise<Map<string, License>> {
  const rows = await tx.run(lockLicenses, [keys.map((key) => key.uuid), keys.map((key) => key.accountId)]);
  return new Map(rows.map((row) => [`${row.account_id} ${row.id}`, { ...row }]));
}
