import { randomUUIDv7 } from 'node:crypto';
import { printAmount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, type LockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import { paymentInsert } from './payment.ts';
import { chargeJob } from './work.ts';

const MOST_A_DAY = 3;
/** How far back the entry is looked for that crossed the threshold. */
const ENTRIES_BACK = 1000n;

const crossing = statement<{ seq: bigint; told: boolean }>(
  'low_balance_crossing',
  `SELECT c.seq, EXISTS (SELECT FROM mails WHERE cause = 'account:' || $1::text || ':balance-low:' || c.seq) AS told
   FROM (SELECT seq FROM ledger_entries
         WHERE account_id = $1::uuid AND seq > $3 AND balance_after < $2 AND balance_after - amount >= $2
         ORDER BY seq DESC LIMIT 1) c`,
);

/**
 * Tells of a balance that fell below its threshold: one mail and one event for each entry that crossed it. The
 * account must be locked.
 */
export async function notifyLowBalance(
  tx: Transaction,
  uow: UnitOfWork,
  account: LockedAccount,
): Promise<void> {
  const { id, balance, currency, lowBalanceThreshold: threshold } = account;
  if (threshold === null || balance >= threshold) return;
  const [crossed] = await tx.run(crossing, [id, threshold, account.ledgerSeq - ENTRIES_BACK]);
  if (crossed === undefined || crossed.told) return;
  emit(uow, account, {
    type: 'account.balance_low',
    resource: null,
    body: { balance_minor: Number(balance), threshold_minor: Number(threshold), currency },
  });
  queueMail(uow, {
    cause: `account:${id}:balance-low:${crossed.seq}`,
    to: { accountId: id },
    template: 'account.balance-low',
    variables: { balance: printAmount(balance, currency), threshold: printAmount(threshold, currency) },
  });
}

interface Wanted {
  readonly amount: bigint;
  readonly method_id: string;
  readonly provider: string;
  readonly locale: string;
  readonly pending: bigint;
  readonly today: bigint;
  readonly declined: bigint;
  readonly unpaid: boolean;
}

// No row comes back without a usable method, and none when money went back: after a chargeback until it is won, after
// a refund until the customer has paid by themselves once more.
const wanted = statement<Wanted>(
  'wanted_auto_topup',
  `SELECT a.auto_topup_amount AS amount, m.id AS method_id, m.provider,
     (SELECT u.locale FROM users u WHERE u.account_id = a.id AND u.role = 'owner' LIMIT 1) AS locale,
     count(p.id) FILTER (WHERE p.state = 'pending') AS pending,
     count(p.id) FILTER (WHERE p.created_at >= $2) AS today,
     count(p.id) FILTER (WHERE p.created_at >= $2 AND p.state = 'failed') AS declined,
     EXISTS (SELECT FROM services s JOIN service_notices n
         ON n.service_id = s.id AND n.expire_at = s.expire_at AND n.kind = 'unpaid'
       WHERE s.account_id = a.id AND s.auto_renew AND s.ended_at IS NULL AND s.state IN ('active', 'suspended')) AS unpaid
   FROM accounts a
   JOIN payment_methods m ON m.id = a.auto_topup_method AND m.removed_at IS NULL
   LEFT JOIN payments p ON p.account_id = a.id AND p.automatic AND (p.state = 'pending' OR p.created_at >= $2)
   WHERE a.id = $1 AND a.auto_topup_amount IS NOT NULL
     AND NOT EXISTS (SELECT FROM payments t WHERE t.account_id = a.id AND t.state = 'charged_back')
     AND NOT EXISTS (SELECT FROM (
       SELECT t.refunded FROM payments t WHERE t.account_id = a.id AND t.method = m.provider AND t.received > 0
       ORDER BY t.created_at DESC LIMIT 1) last WHERE last.refunded > 0)
   GROUP BY a.id, m.id`,
);

/**
 * Begins an automatic top-up where the customer has set one up, and the balance is below its threshold or did not reach
 * for a renewal: one at a time, three a day (UTC), and after a decline none before tomorrow. The account must be
 * locked.
 */
export async function beginAutoTopup(
  tx: Transaction,
  uow: UnitOfWork,
  account: LockedAccount,
): Promise<void> {
  const { id, balance, currency, lowBalanceThreshold: threshold } = account;
  if (threshold === null || account.state === 'closed') return;
  const [topup] = await tx.run(wanted, [id, startOfDay(uow.now)]);
  if (topup === undefined) return;
  // Of an account that is suspended nothing is renewed, so money would not help.
  if (balance >= threshold && !(topup.unpaid && account.state === 'active')) return;
  if (topup.pending > 0n || topup.declined > 0n || topup.today >= MOST_A_DAY) return;
  const paymentId = randomUUIDv7();
  uow.changes.add(paymentInsert, {
    id: paymentId,
    account_id: id,
    method: topup.provider,
    amount: topup.amount,
    currency,
    reference: null,
    return_url: null,
    locale: topup.locale,
    save_method: false,
    automatic: true,
    payment_method_id: topup.method_id,
    state: 'pending',
    created_at: uow.now,
    updated_at: uow.now,
  });
  uow.jobs.push(chargeJob(paymentId));
}

function startOfDay(now: Instant): Instant {
  return now.toZonedDateTimeISO('UTC').startOfDay().toInstant();
}
