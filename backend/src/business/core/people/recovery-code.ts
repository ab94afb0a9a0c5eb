import { randomBytes } from 'node:crypto';
import type { Sealer } from '../../../base/seal.ts';
import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

const COUNT = 10;
/** Crockford's base32: nothing in it is easily taken for something else. Twelve of them are 60 random bits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 12;

const remove = statement<object>('delete_recovery_codes', 'DELETE FROM recovery_codes WHERE user_id = $1');
const insert = statement<object>(
  'insert_recovery_codes',
  'INSERT INTO recovery_codes (user_id, hash) SELECT $1, unnest($2::bytea[])',
);
const spend = statement<object>(
  'spend_recovery_code',
  'UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND hash = $2 AND used_at IS NULL RETURNING 1 AS one',
);

/** Ten codes in place of those that there were, in the form that is shown once: `4h2k-9xw0-p7mz`. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  sealer: Sealer,
  userId: string,
): Promise<readonly string[]> {
  const codes = Array.from({ length: COUNT }, newCode);
  await tx.run(remove, [userId]);
  await tx.run(insert, [userId, codes.map((code) => digest(sealer, userId, code))]);
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
}

export async function removeRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.run(remove, [userId]);
}

/** Uses a code up, however it is written. Whether it was one that was still good. */
export async function spendRecoveryCode(
  tx: Transaction,
  sealer: Sealer,
  userId: string,
  given: string,
  now: Instant,
): Promise<boolean> {
  const code = given.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  if (code.length !== LENGTH) return false;
  return (await tx.run(spend, [userId, digest(sealer, userId, code), now])).length > 0;
}

function newCode(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** Keyed: 60 bits would not withstand guessing by who has the database alone. */
function digest(sealer: Sealer, userId: string, code: string): Buffer {
  return sealer.digest('recovery-code', `${userId} ${code}`);
}
