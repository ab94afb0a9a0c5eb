import type { Amount } from '../../base/money.ts';
import type { Instant } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';

/** Money of a closed account that goes, or went, to its bank account. */
export interface Payout {
  readonly account_id: string;
  readonly closed_at: Instant;
  readonly payout: Amount;
  readonly currency: string;
  readonly iban: string;
  readonly account_holder: string;
}

const list = statement<Payout>(
  'unpaid_payouts',
  `SELECT account_id, closed_at, payout, currency, iban, account_holder FROM account_closings
   WHERE payout > 0 AND paid_at IS NULL ORDER BY closed_at, account_id LIMIT $1 OFFSET $2`,
);
const count = statement<{ total: number }>(
  'count_unpaid_payouts',
  'SELECT count(*)::int AS total FROM account_closings WHERE payout > 0 AND paid_at IS NULL',
);

/** What is to be paid out, the oldest first. */
export async function unpaidPayouts(
  db: Executor,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly payouts: readonly Payout[]; readonly total: number }> {
  const [payouts, [counted]] = await Promise.all([
    db.run(list, [page.limit, page.offset]),
    db.run(count, []),
  ]);
  return { payouts, total: counted?.total ?? 0 };
}

const pay = statement<{ account_id: string }>(
  'pay_payout',
  `UPDATE account_closings SET paid_at = $2, paid_by = $3, paid_reference = $4
   WHERE account_id = $1 AND payout > 0 AND paid_at IS NULL RETURNING account_id`,
);

/** Says that the money was sent; whether it was still to be. */
export async function markPaidOut(
  tx: Transaction,
  accountId: string,
  by: { readonly userId: string; readonly reference: string; readonly now: Instant },
): Promise<boolean> {
  return (await tx.run(pay, [accountId, by.now, by.userId, by.reference])).length > 0;
}
