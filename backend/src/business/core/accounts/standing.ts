import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, type LockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';

/** What an account can be suspended for. Its services go on for the terms that are paid for. */
export const ACCOUNT_SUSPENSION_REASONS = ['unpaid', 'abuse', 'legal', 'operator', 'verification'] as const;
export type AccountSuspensionReason = (typeof ACCOUNT_SUSPENSION_REASONS)[number];

const setStanding = statement<object>(
  'set_account_standing',
  'UPDATE accounts SET state = $2, suspended_reason = $3, suspended_note = $4, suspended_at = $5 WHERE id = $1',
);
const loadSuspension = statement<AccountSuspension>(
  'account_suspension',
  `SELECT suspended_reason AS reason, suspended_note AS note, suspended_at AS since FROM accounts
   WHERE id = $1 AND state = 'suspended' AND suspended_reason IS NOT NULL`,
);

interface AccountSuspension {
  readonly reason: AccountSuspensionReason;
  /** For operators. */
  readonly note: string;
  readonly since: Instant;
}

/** null: the account is not suspended. */
export async function accountSuspension(db: Executor, accountId: string): Promise<AccountSuspension | null> {
  const [suspension] = await db.run(loadSuspension, [accountId]);
  return suspension ?? null;
}

/**
 * Lets the account order and renew nothing from now on. Of one that is suspended it changes the reason and the note, and tells
 * the customer if the reason is another. The account must be locked, and not closed.
 */
export async function suspendAccount(
  tx: Transaction,
  uow: UnitOfWork,
  account: LockedAccount,
  { reason, note }: { readonly reason: AccountSuspensionReason; readonly note: string },
): Promise<void> {
  const before = await accountSuspension(tx, account.id);
  await tx.run(setStanding, [account.id, 'suspended', reason, note, uow.now]);
  if (before?.reason === reason) return;
  const changed = becomes(uow, account, { state: 'suspended' });
  const event = emit(uow, changed, { type: 'account.suspended', resource: null, body: { reason } });
  queueMail(uow, {
    cause: `account-suspended:${event}`,
    to: { accountId: account.id },
    template: 'account.suspended',
    variables: { reason },
  });
}

/** The account may order and renew again. Changes nothing of one that may. */
export async function unsuspendAccount(
  tx: Transaction,
  uow: UnitOfWork,
  account: LockedAccount,
): Promise<void> {
  if (account.state !== 'suspended') return;
  await tx.run(setStanding, [account.id, 'active', null, '', null]);
  const changed = becomes(uow, account, { state: 'active' });
  const event = emit(uow, changed, { type: 'account.unsuspended', resource: null, body: {} });
  queueMail(uow, {
    cause: `account-unsuspended:${event}`,
    to: { accountId: account.id },
    template: 'account.unsuspended',
    variables: {},
  });
}

/** The last that becomes of an account: nothing is ordered or renewed any more. It must be locked, and even. */
export async function closeStanding(
  tx: Transaction,
  uow: UnitOfWork,
  account: LockedAccount,
  body: { readonly payout_minor: number },
): Promise<void> {
  const closed = await setCreditLimit(tx, uow, account, 0n);
  await tx.run(setStanding, [account.id, 'closed', null, '', null]);
  const changed = becomes(uow, closed, { state: 'closed' });
  emit(uow, changed, {
    type: 'account.closed',
    resource: null,
    body: { ...body, currency: account.currency },
  });
}

const setLimit = statement<object>(
  'set_credit_limit',
  'UPDATE accounts SET credit_limit = $2, floor = $3 WHERE id = $1',
);

/**
 * How far the account may go below zero. When it is further below already, its floor stays at exactly what it is, which later
 * credits raise (rule B1): it orders nothing, and owes what it owed.
 */
export async function setCreditLimit(
  tx: Transaction,
  uow: UnitOfWork,
  account: LockedAccount,
  limit: Amount,
): Promise<LockedAccount> {
  if (limit === account.creditLimit) return account;
  const left = account.balance - account.reserved;
  const floor = left < -limit ? left : -limit;
  await tx.run(setLimit, [account.id, limit, floor]);
  const changed = becomes(uow, account, { creditLimit: limit, floor });
  emit(uow, changed, {
    type: 'account.credit_limit_changed',
    resource: null,
    body: {
      credit_limit_minor: Number(limit),
      previous_minor: Number(account.creditLimit),
      currency: account.currency,
    },
  });
  return changed;
}

/** What of a locked account is not written with its money: the unit of work goes on with it as it is now. */
function becomes(
  uow: UnitOfWork,
  account: LockedAccount,
  change: Partial<Pick<LockedAccount, 'state' | 'creditLimit' | 'floor'>>,
): LockedAccount {
  const changed = { ...account, ...change };
  uow.accounts.set(account.id, changed);
  return changed;
}
