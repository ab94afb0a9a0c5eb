import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { newVoucherCode, voucherHash, voucherTail } from './code.ts';
import { type VoucherWorth, worthColumns } from './voucher.ts';

export interface VoucherDraft {
  readonly worth: VoucherWorth;
  readonly description: string;
  readonly expiresAt: Instant | null;
  /** The operator; null for the program itself. */
  readonly createdBy: string | null;
}

/** A voucher as it is handed out. */
export interface NewVoucher {
  readonly id: string;
  /** Kept nowhere: only its hash is. */
  readonly code: string;
}

const insert = statement<object>(
  'insert_vouchers',
  `INSERT INTO vouchers (id, code_hash, tail, kind, amount, currency, percent, products, description, expires_at,
     created_by, created_at)
   SELECT id, code_hash, tail, $4, $5, $6, $7, $8::text[], $9, $10, $11, $12
   FROM unnest($1::uuid[], $2::bytea[], $3::text[]) u(id, code_hash, tail)`,
);

/** Makes vouchers that are alike but for their codes. */
export async function createVouchers(
  tx: Transaction,
  draft: VoucherDraft,
  count: number,
  now: Instant,
): Promise<readonly NewVoucher[]> {
  const codes = Array.from({ length: count }, newVoucherCode);
  return await keepVouchers(tx, draft, codes, now);
}

/** The same with codes that were chosen. */
export async function keepVouchers(
  tx: Transaction,
  { worth, description, expiresAt, createdBy }: VoucherDraft,
  codes: readonly string[],
  now: Instant,
): Promise<readonly NewVoucher[]> {
  const made = codes.map((code) => ({ id: randomUUIDv7(), code }));
  const { kind, amount, currency, percent, products } = worthColumns(worth);
  await tx.run(insert, [
    made.map((voucher) => voucher.id),
    codes.map(voucherHash),
    codes.map(voucherTail),
    kind,
    amount,
    currency,
    percent,
    products,
    description,
    expiresAt,
    createdBy,
    now,
  ]);
  return made;
}
