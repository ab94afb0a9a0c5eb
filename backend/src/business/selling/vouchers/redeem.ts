import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, type LockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { floorAfter } from '../../core/accounts/adjust.ts';
import { post } from '../../core/ledger/entry.ts';
import { createPersonalDiscount } from '../orders/discount-code.ts';
import { voucherHash } from './code.ts';
import { type VoucherWorth, voucherState, type WorthColumns, worthOf } from './voucher.ts';

interface VoucherRow extends WorthColumns {
  id: string;
  description: string;
  expires_at: Instant | null;
  redeemed_at: Instant | null;
  revoked_at: Instant | null;
}

const lockVoucher = statement<VoucherRow>(
  'lock_voucher',
  `SELECT id, kind, amount, currency, percent, products, description, expires_at, redeemed_at, revoked_at
   FROM vouchers WHERE code_hash = $1 FOR UPDATE`,
);
const markRedeemed = statement<object>(
  'redeem_voucher',
  'UPDATE vouchers SET redeemed_by = $2, redeemed_at = $3, entry_id = $4, discount_code = $5 WHERE id = $1',
);

export interface RedeemedVoucher {
  readonly worth: VoucherWorth;
  readonly description: string;
  /** The entry that credited it; null for a discount. */
  readonly entryId: string | null;
  /** The personal discount code that a discount became; null for a credit. */
  readonly discountCode: string | null;
}

export type RedeemOutcome =
  | { readonly kind: 'redeemed'; readonly voucher: RedeemedVoucher }
  | { readonly kind: 'account_suspended' }
  /** Also for one that was revoked. */
  | { readonly kind: 'voucher_not_found' }
  | { readonly kind: 'voucher_already_redeemed' }
  | { readonly kind: 'voucher_expired' }
  /** It is in another currency. */
  | { readonly kind: 'voucher_not_applicable' };

/**
 * Turns a voucher into what it is worth, for an account that the unit of work has locked: money on the balance, or a
 * discount code of the customer's own. Whoever else wants the same voucher waits for the row, and comes too late.
 */
export async function redeemVoucher(
  tx: Transaction,
  uow: UnitOfWork,
  account: LockedAccount,
  code: string,
): Promise<RedeemOutcome> {
  if (account.state !== 'active') return { kind: 'account_suspended' };
  const [row] = await tx.run(lockVoucher, [voucherHash(code)]);
  if (row === undefined) return { kind: 'voucher_not_found' };
  const state = voucherState(row, uow.now);
  if (state === 'revoked') return { kind: 'voucher_not_found' };
  if (state === 'redeemed') return { kind: 'voucher_already_redeemed' };
  if (state === 'expired') return { kind: 'voucher_expired' };

  const worth = worthOf(row);
  if (worth.kind === 'credit' && worth.currency !== account.currency)
    return { kind: 'voucher_not_applicable' };
  const entryId = worth.kind === 'credit' ? credit(uow, account, worth, row.description) : null;
  const discountCode =
    worth.kind === 'discount'
      ? await createPersonalDiscount(
          tx,
          { ...worth, accountId: account.id, validUntil: row.expires_at, note: row.description },
          uow.now,
        )
      : null;
  await tx.run(markRedeemed, [row.id, account.id, uow.now, entryId, discountCode]);
  emit(uow, account, {
    type: 'account.voucher_redeemed',
    resource: null,
    body: {
      voucher_uuid: row.id,
      type: worth.kind,
      transaction_uuid: entryId,
      discount_code: discountCode,
    },
  });
  return { kind: 'redeemed', voucher: { worth, description: row.description, entryId, discountCode } };
}

function credit(
  uow: UnitOfWork,
  account: LockedAccount,
  { amount }: VoucherWorth & { kind: 'credit' },
  description: string,
): string {
  const entryId = randomUUIDv7();
  account.floor = floorAfter(account, amount);
  post(uow, account, {
    id: entryId,
    kind: 'voucher',
    amount,
    tax: 0n,
    description,
    orderId: null,
    resource: null,
    counterparts: [{ ledgerAccount: 'voucher', amount: -amount }],
  });
  return entryId;
}
