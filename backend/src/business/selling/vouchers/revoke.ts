import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

export type RevokeOutcome =
  | { readonly kind: 'revoked'; readonly revokedAt: Instant }
  | { readonly kind: 'redeemed' }
  | { readonly kind: 'not_found' };

const lockById = statement<{ redeemed_at: Instant | null; revoked_at: Instant | null }>(
  'lock_voucher_by_id',
  'SELECT redeemed_at, revoked_at FROM vouchers WHERE id = $1 FOR UPDATE',
);
const markRevoked = statement<object>('revoke_voucher', 'UPDATE vouchers SET revoked_at = $2 WHERE id = $1');

/** Makes a voucher worthless, unless it was redeemed; one that was revoked before stays as it is. */
export async function revokeVoucher(tx: Transaction, id: string, now: Instant): Promise<RevokeOutcome> {
  const [voucher] = await tx.run(lockById, [id]);
  if (voucher === undefined) return { kind: 'not_found' };
  if (voucher.redeemed_at !== null) return { kind: 'redeemed' };
  if (voucher.revoked_at !== null) return { kind: 'revoked', revokedAt: voucher.revoked_at };
  await tx.run(markRevoked, [id, now]);
  return { kind: 'revoked', revokedAt: now };
}
