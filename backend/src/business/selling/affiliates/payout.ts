import { randomUUIDv7 } from 'node:crypto';
import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import {
  inUnitOfWork,
  type LockedAccount,
  lockedAccount,
  type UnitOfWork,
} from '../../../unit-of-work/unit-of-work.ts';
import { floorAfter } from '../../core/accounts/adjust.ts';
import { post } from '../../core/ledger/entry.ts';

const owed = statement<{ affiliate_id: string }>(
  'owed_affiliates',
  `SELECT DISTINCT c.affiliate_id FROM commissions c JOIN accounts a ON a.id = c.affiliate_id
   WHERE c.state IN ('pending', 'confirmed') AND c.due_at <= $1 AND (c.state = 'pending' OR a.state = 'active')
   ORDER BY c.affiliate_id`,
);

// A refund that the commission does not know of yet keeps it pending until it does.
const confirm = statement<object>(
  'confirm_commissions',
  `UPDATE commissions c SET state = 'confirmed' FROM orders o
   WHERE o.id = c.order_id AND c.affiliate_id = $1 AND c.state = 'pending' AND c.due_at <= $2
     AND c.order_total = o.net - (SELECT coalesce(sum(gross - tax), 0)::bigint FROM refunds WHERE order_id = c.order_id)`,
);
// Locked, so that what is paid is what was summed up: a refund may still lower what is confirmed.
const sumConfirmed = statement<{ amount: Amount; orders: number }>(
  'sum_confirmed_commissions',
  `SELECT coalesce(sum(amount), 0)::bigint AS amount, count(*)::int AS orders FROM (
     SELECT amount FROM commissions WHERE affiliate_id = $1 AND state = 'confirmed' FOR NO KEY UPDATE) c`,
);
const insertPayout = statement<object>(
  'insert_payout',
  `INSERT INTO affiliate_payouts (id, account_id, amount, currency, method, state, entry_id, created_at)
   VALUES ($1, $2, $3, $4, 'balance', 'paid', $5, $6)`,
);
const markPaid = statement<object>(
  'pay_commissions',
  `UPDATE commissions SET state = 'paid', payout_id = $2 WHERE affiliate_id = $1 AND state = 'confirmed'`,
);

/** The affiliates with commissions that are due: to be confirmed, or confirmed and payable. */
export async function owedAffiliates(pool: Pool, now: Instant): Promise<string[]> {
  return (await pool.run(owed, [now])).map((row) => row.affiliate_id);
}

/**
 * Confirms an affiliate's due commissions, and pays out to the balance all that are confirmed, in one transaction that
 * has the account locked: so each is paid exactly once, whoever runs this how often. An account that is not active is
 * paid once it is.
 */
export async function payAffiliate(pool: Pool, accountId: string, now: Instant): Promise<void> {
  await inUnitOfWork(pool, now, [accountId], async (tx, uow) => {
    const account = lockedAccount(uow, accountId);
    await tx.run(confirm, [accountId, now]);
    if (account.state === 'active') await payOut(tx, uow, account);
  });
}

async function payOut(tx: Transaction, uow: UnitOfWork, account: LockedAccount): Promise<void> {
  const [due] = await tx.run(sumConfirmed, [account.id]);
  if (due === undefined || due.amount === 0n) return;
  const { amount, orders } = due;
  const payoutId = randomUUIDv7();
  const entryId = randomUUIDv7();
  account.floor = floorAfter(account, amount);
  post(uow, account, {
    id: entryId,
    kind: 'affiliate',
    amount,
    tax: 0n,
    description: `Commission for ${orders === 1 ? 'an order' : `${orders} orders`}`,
    orderId: null,
    resource: null,
    counterparts: [{ ledgerAccount: 'affiliate', amount: -amount }],
  });
  await tx.run(insertPayout, [payoutId, account.id, amount, account.currency, entryId, uow.now]);
  await tx.run(markPaid, [account.id, payoutId]);
}
