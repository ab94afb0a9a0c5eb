import { randomUUIDv7 } from 'node:crypto';
import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { Transaction } from '../../../db/transaction.ts';
import {
  type LockedAccount,
  lockInto,
  newUnitOfWork,
  type UnitOfWork,
} from '../../../unit-of-work/unit-of-work.ts';
import { post } from '../ledger/entry.ts';

/** Money that an operator gives or takes; not zero. */
export interface Adjustment {
  readonly amount: Amount;
  /** Stands in the customer's transactions. */
  readonly reason: string;
  /** How money really came in; without it the entry corrects the books and moves none. */
  readonly paidBy?: string;
}

/**
 * Posts an adjustment, or the top-up that `paidBy` tells of. May take more than the account has: its floor goes
 * down to exactly the shortfall, which later credits raise again (rule B1).
 */
export function adjust(
  uow: UnitOfWork,
  account: LockedAccount,
  { amount, reason, paidBy }: Adjustment,
): { readonly entryId: string } {
  if (amount === 0n) throw new RangeError('an adjustment of nothing');
  const entryId = randomUUIDv7();
  account.floor = floorAfter(account, amount);
  post(uow, account, {
    id: entryId,
    kind: paidBy === undefined ? 'adjustment' : 'topup',
    amount,
    tax: 0n,
    description: reason,
    orderId: null,
    resource: null,
    counterparts: [
      { ledgerAccount: paidBy === undefined ? 'adjustment' : `cash:${paidBy}`, amount: -amount },
    ],
  });
  return { entryId };
}

/** The lowest that balance less reserved may be after this much more: the credit limit, or the shortfall. */
export function floorAfter(account: LockedAccount, amount: Amount): Amount {
  const left = account.balance + amount - account.reserved;
  return left < -account.creditLimit ? left : -account.creditLimit;
}

export type AdjustOutcome =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'adjusted'; readonly entryId: string; readonly balance: Amount };

/** Locks the account, adjusts its balance and writes, for who has no unit of work: the operator's commands. */
export async function adjustBalance(
  tx: Transaction,
  accountId: string,
  adjustment: Adjustment,
  now: Instant,
): Promise<AdjustOutcome> {
  const uow = newUnitOfWork(now, new Map());
  const account = await lockInto(tx, uow, accountId);
  if (account === null) return { kind: 'not_found' };
  const { entryId } = adjust(uow, account, adjustment);
  await uow.changes.send(tx);
  return { kind: 'adjusted', entryId, balance: account.balance };
}
