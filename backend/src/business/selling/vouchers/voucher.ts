import type { Amount, BasisPoints } from '../../../base/money.ts';
import { type Instant, isBefore } from '../../../base/time.ts';

export type VoucherState = 'open' | 'redeemed' | 'expired' | 'revoked';

/** What a voucher is worth: money, or a share off an order. */
export type VoucherWorth =
  | { readonly kind: 'credit'; readonly amount: Amount; readonly currency: string }
  | {
      readonly kind: 'discount';
      readonly percent: BasisPoints;
      /** Only these products; null: all. */
      readonly products: readonly string[] | null;
    };

/** The columns that say what a voucher is worth; the database keeps them together (`vouchers_value`). */
export interface WorthColumns {
  readonly kind: string;
  readonly amount: bigint | null;
  readonly currency: string | null;
  readonly percent: number | null;
  readonly products: readonly string[] | null;
}

export function worthOf(row: WorthColumns): VoucherWorth {
  if (row.kind === 'credit' && row.amount !== null && row.currency !== null) {
    return { kind: 'credit', amount: row.amount, currency: row.currency };
  }
  if (row.percent === null) throw new Error('a voucher of no worth');
  return { kind: 'discount', percent: row.percent, products: row.products };
}

export function worthColumns(worth: VoucherWorth): WorthColumns {
  const none = { amount: null, currency: null, percent: null, products: null };
  return { ...none, ...worth };
}

interface VoucherLife {
  readonly redeemed_at: Instant | null;
  readonly revoked_at: Instant | null;
  readonly expires_at: Instant | null;
}

export function voucherState(voucher: VoucherLife, now: Instant): VoucherState {
  if (voucher.redeemed_at !== null) return 'redeemed';
  if (voucher.revoked_at !== null) return 'revoked';
  return voucher.expires_at === null || isBefore(now, voucher.expires_at) ? 'open' : 'expired';
}
