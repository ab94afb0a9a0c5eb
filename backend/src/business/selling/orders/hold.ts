import type { Instant } from '../../../base/time.ts';
import { type Bulk, bulkUpdate } from '../../../db/changes.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockedAccount, touchAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { retryRenewals } from '../../core/ledger/entry.ts';
import { followBaskets } from './basket-task.ts';
import { type OrderRequest, postOrder } from './order.ts';

/** Money that an order has reserved and nobody has spent yet (rule B1). */
interface OpenHold {
  order_id: string;
  account_id: string;
  entry_id: string;
  amount: bigint;
  product: OrderRequest['product'];
  action: OrderRequest['action'];
  service_id: string;
  currency: string;
  description: string;
  gross: bigint;
  tax: bigint;
  tax_rate: number;
  basket_id: string | null;
}

// Read after the accounts were locked, and whoever closes a hold locks its account: what is open here stays so.
const openHolds = statement<OpenHold>(
  'open_holds',
  `SELECT h.order_id, h.account_id, h.entry_id, h.amount, o.product, o.action, o.service_id, o.currency,
     o.description, o.gross, o.tax, o.tax_rate, o.basket_id
   FROM holds h JOIN orders o ON o.id = h.order_id
   WHERE h.order_id = ANY($1::uuid[]) AND h.state = 'open' ORDER BY h.order_id`,
);

// What an order that came to nothing had used up: its discount code, and its token's budget of that day.
const giveBack = statement<object>(
  'give_back_order',
  `WITH given AS (DELETE FROM discount_uses WHERE order_id = ANY($1::uuid[]) RETURNING code),
   codes AS (
     UPDATE discount_codes c SET uses = c.uses - n.times
     FROM (SELECT code, count(*)::int AS times FROM given GROUP BY code) n WHERE c.code = n.code)
   UPDATE tokens t SET spent = greatest(0, t.spent - n.gross)
   FROM (SELECT token_id, (created_at AT TIME ZONE 'UTC')::date AS day, sum(gross)::bigint AS gross
         FROM orders WHERE id = ANY($1::uuid[]) GROUP BY token_id, day) n
   WHERE t.id = n.token_id AND t.spent_on = n.day`,
);

/**
 * Captures the holds of orders whose product was delivered: each becomes the one entry whose id was fixed when
 * the money was held, and its order is completed. Holds that are closed already are left as they are. The
 * unit of work must have locked the accounts. Answers which orders it closed.
 */
export async function captureHolds(
  tx: Transaction,
  uow: UnitOfWork,
  orderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const holds = await tx.run(openHolds, [orderIds]);
  for (const hold of holds) {
    const account = lockedAccount(uow, hold.account_id);
    account.reserved -= hold.amount;
    postOrder(uow, account, {
      orderId: hold.order_id,
      entryId: hold.entry_id,
      product: hold.product,
      action: hold.action,
      serviceId: hold.service_id,
      description: hold.description,
      gross: hold.gross,
      tax: hold.tax,
      taxRate: hold.tax_rate,
    });
    close(uow, hold, 'captured', null);
  }
  await followBaskets(tx, uow, holds, 'delivered');
  return new Set(holds.map((hold) => hold.order_id));
}

/**
 * Releases the holds of orders that nothing came of: the money is free again, nothing is posted, and what else
 * the order had used up is given back. `reason` is for the operator. Otherwise as {@link captureHolds}.
 */
export async function releaseHolds(
  tx: Transaction,
  uow: UnitOfWork,
  orderIds: readonly string[],
  reason: string,
): Promise<ReadonlySet<string>> {
  const holds = await tx.run(openHolds, [orderIds]);
  if (holds.length === 0) return new Set();
  for (const hold of holds) {
    const account = lockedAccount(uow, hold.account_id);
    account.reserved -= hold.amount;
    touchAccount(uow, account);
    retryRenewals(uow, account);
    close(uow, hold, 'released', reason);
    emit(uow, account, {
      type: 'order.failed',
      resource: { type: hold.product, id: hold.service_id },
      body: { order_id: hold.order_id, gross_minor: Number(hold.gross), currency: hold.currency },
    });
  }
  const released = holds.map((hold) => hold.order_id);
  await tx.run(giveBack, [released]);
  await followBaskets(tx, uow, holds, 'failed');
  return new Set(released);
}

/** Why an order failed that no back end refused. */
export const GIVEN_UP = 'an operator gave it up';

const failureOf = statement<{ failure: string | null }>(
  'failure_of_order',
  'SELECT failure FROM orders WHERE id = $1',
);

/** Whether an operator ended the order before its back end had answered. */
export async function isGivenUp(tx: Transaction, orderId: string): Promise<boolean> {
  const [order] = await tx.run(failureOf, [orderId]);
  return order?.failure === GIVEN_UP;
}

/** {@link captureHolds} for one; whether it was open until now. */
export async function captureHold(tx: Transaction, uow: UnitOfWork, orderId: string): Promise<boolean> {
  return (await captureHolds(tx, uow, [orderId])).has(orderId);
}

/** {@link releaseHolds} for one; whether it was open until now. */
export async function releaseHold(
  tx: Transaction,
  uow: UnitOfWork,
  orderId: string,
  reason: string,
): Promise<boolean> {
  return (await releaseHolds(tx, uow, [orderId], reason)).has(orderId);
}

function close(
  uow: UnitOfWork,
  hold: OpenHold,
  state: 'captured' | 'released',
  failure: string | null,
): void {
  uow.changes.add(holdClose, { order_id: hold.order_id, state, closed_at: uow.now });
  uow.changes.add(orderClose, {
    id: hold.order_id,
    state: state === 'captured' ? 'completed' : 'failed',
    failure,
    closed_at: uow.now,
  });
}

const holdClose: Bulk<{ order_id: string; state: string; closed_at: Instant }> = {
  name: '~holds.close',
  columns: { order_id: 'uuid', state: 'text', closed_at: 'timestamptz' },
  sql: (rows) =>
    `UPDATE holds SET state = n.state, closed_at = n.closed_at FROM ${rows} n WHERE holds.order_id = n.order_id`,
  key: null,
};

const orderClose = bulkUpdate<{ id: string; state: string; failure: string | null; closed_at: Instant }>(
  'orders',
  'close',
  { id: 'uuid', state: 'text', failure: 'text', closed_at: 'timestamptz' },
  'state = n.state, failure = n.failure, closed_at = n.closed_at',
);
