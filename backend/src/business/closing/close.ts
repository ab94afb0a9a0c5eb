import { randomUUIDv7 } from 'node:crypto';
import { printAmount } from '../../base/money.ts';
import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { LockedAccount, UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import { closeStanding } from '../core/accounts/standing.ts';
import type { CatalogVersion } from '../core/catalog/versions.ts';
import { post } from '../core/ledger/entry.ts';
import { queueMail } from '../notifications/mail/outbox.ts';
import { removeMethods } from '../selling/payments/method.ts';
import { requestCancellation } from '../selling/subscriptions/cancellation/cancellation.ts';
import type { Closing, ClosingPlan } from './plan.ts';

const insert = statement<object>(
  'insert_account_closing',
  `INSERT INTO account_closings (account_id, closed_at, closed_by, reason, payout, currency, payout_entry, iban, account_holder)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const endTokens = statement<object>(
  'end_tokens_of_account',
  'UPDATE tokens SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL',
);

/**
 * Closes an account by a plan without obstacles: its services end, what is left of its balance goes to an operator's list of
 * payouts, and nobody is in or gets in any more. Its rows stay: invoices and bookings are kept by law.
 */
export async function closeAccount(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  account: LockedAccount,
  plan: ClosingPlan,
  by: Closing & { readonly userId: string; readonly reason: string },
): Promise<void> {
  for (const { service, plan: ending } of plan.services) {
    const { mode } = ending;
    const request = { mode, dryRun: false, reason: null, comment: null, requestedBy: by.userId };
    const outcome = await requestCancellation(tx, uow, catalog, service.id, request);
    if (outcome.kind !== 'done') throw new Error(`service ${service.id} does not end as it was planned`);
  }
  if (account.balance !== plan.payout) throw new Error(`account ${account.id} closes with another balance`);
  const payout = plan.payout > 0n ? by.payout : null;
  const entryId = plan.payout > 0n ? randomUUIDv7() : null;
  if (entryId !== null)
    post(uow, account, {
      id: entryId,
      kind: 'adjustment',
      amount: -plan.payout,
      tax: 0n,
      description: 'Paid out: the account was closed',
      orderId: null,
      resource: null,
      counterparts: [{ ledgerAccount: 'payout:bank', amount: plan.payout }],
    });
  await tx.run(insert, [
    account.id,
    uow.now,
    by.userId,
    by.reason,
    plan.payout,
    account.currency,
    entryId,
    payout?.iban ?? null,
    payout?.holder ?? null,
  ]);
  await tx.run(endTokens, [account.id, uow.now]);
  await removeMethods(tx, uow, account.id);
  await closeStanding(tx, uow, account, { payout_minor: Number(plan.payout) });
  queueMail(uow, {
    cause: `account-closed:${account.id}`,
    to: { accountId: account.id },
    template: 'account.closed',
    variables: {
      payout: plan.payout > 0n ? printAmount(plan.payout, account.currency) : null,
      kept_until: String(plan.keptUntil),
    },
  });
}
