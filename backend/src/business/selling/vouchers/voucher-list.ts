import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { VoucherState, WorthColumns } from './voucher.ts';

/** A voucher as operators list them: without its code, which nobody has. */
export interface ListedVoucher extends WorthColumns {
  readonly id: string;
  readonly tail: string;
  readonly description: string;
  readonly state: VoucherState;
  readonly created_at: Instant;
  readonly expires_at: Instant | null;
  readonly revoked_at: Instant | null;
  readonly redeemed_at: Instant | null;
  readonly redeemed_by: string | null;
  readonly entry_id: string | null;
  readonly discount_code: string | null;
}

export interface VoucherFilter {
  readonly state: VoucherState | null;
  /** A LIKE pattern for the description or the code's tail. */
  readonly text: string | null;
}

// The same words as voucherState.
const STATE = `CASE WHEN redeemed_at IS NOT NULL THEN 'redeemed' WHEN revoked_at IS NOT NULL THEN 'revoked'
  WHEN expires_at <= $1 THEN 'expired' ELSE 'open' END`;
const FOUND = `FROM vouchers WHERE ($2::text IS NULL OR $2 = ${STATE})
  AND ($3::text IS NULL OR description ILIKE $3 OR tail ILIKE $3)`;

const list = (order: 'asc' | 'desc') =>
  statement<ListedVoucher>(
    `list_vouchers_${order}`,
    `SELECT id, tail, kind, amount, currency, percent, products, description, ${STATE} AS state, created_at, expires_at,
       revoked_at, redeemed_at, redeemed_by, entry_id, discount_code
     ${FOUND} ORDER BY created_at ${order}, id ${order} LIMIT $4 OFFSET $5`,
  );
const listed = { asc: list('asc'), desc: list('desc') };
const count = statement<{ total: bigint }>('count_vouchers', `SELECT count(*) AS total ${FOUND}`);

/** Vouchers by when they were made, and how many there are. */
export async function listVouchers(
  db: Executor,
  filter: VoucherFilter,
  page: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
  now: Instant,
): Promise<{ readonly vouchers: readonly ListedVoucher[]; readonly total: number }> {
  const values = [now, filter.state, filter.text];
  const [vouchers, [counted]] = await Promise.all([
    db.run(listed[page.order], [...values, page.limit, page.offset]),
    db.run(count, values),
  ]);
  return { vouchers, total: Number(counted?.total ?? 0n) };
}
