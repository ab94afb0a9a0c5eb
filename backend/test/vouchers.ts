import assert from 'node:assert/strict';
import {
  createVouchers,
  type NewVoucher,
  type VoucherDraft,
} from '../src/business/selling/vouchers/create.ts';
import type { Pool } from '../src/db/pool.ts';
import { transaction } from '../src/db/transaction.ts';

/** A voucher for ten euros, or another. */
export async function newVoucher(
  pool: Pool,
  now: Temporal.Instant,
  draft: Partial<VoucherDraft> = {},
): Promise<NewVoucher> {
  const whole: VoucherDraft = {
    worth: { kind: 'credit', amount: 1_000n, currency: 'EUR' },
    description: 'Spring fair',
    expiresAt: null,
    createdBy: null,
    ...draft,
  };
  const [made] = await transaction(pool, (tx) => createVouchers(tx, whole, 1, now));
  assert.ok(made !== undefined);
  return made;
}
