import { randomUUIDv7 } from 'node:crypto';
import { type Amount, type BasisPoints, divideRounded } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import { bulkInsert } from '../../../db/changes.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { floorAfter } from '../../core/accounts/adjust.ts';
import type { Product } from '../../core/catalog/schema/product.ts';
import { revenueAccount, taxAccount } from '../../core/ledger/chart.ts';
import { post } from '../../core/ledger/entry.ts';

/** Why money is paid back. */
export type RefundBasis = 'pro_rata' | 'statutory_withdrawal' | 'goodwill' | 'undelivered';

/** An order and what of it was paid back already: true for as long as its account is locked. */
export interface RefundableOrder {
  readonly id: string;
  readonly account_id: string;
  readonly product: Product;
  readonly service_id: string;
  /** Only what is completed was paid: a pending order's money is on hold, a failed one's was released. */
  readonly state: 'pending' | 'completed' | 'failed';
  readonly description: string;
  readonly gross: Amount;
  readonly tax: Amount;
  readonly tax_rate: BasisPoints;
  readonly period_from: Instant;
  readonly period_to: Instant;
  readonly refunded_gross: Amount;
  readonly refunded_tax: Amount;
}

/** An order whose term is not over at the moment that it was read for. */
export interface RunningOrder extends RefundableOrder {
  /** Of the term after that moment what was paid back already, because less of it is delivered. */
  readonly given_back: Amount;
}

const COLUMNS = `o.id, o.account_id, o.product, o.service_id, o.state, o.description, o.gross, o.tax, o.tax_rate,
  o.period_from, o.period_to, r.gross AS refunded_gross, r.tax AS refunded_tax
  FROM orders o CROSS JOIN LATERAL (
    SELECT coalesce(sum(gross), 0)::bigint AS gross, coalesce(sum(tax), 0)::bigint AS tax
    FROM refunds WHERE order_id = o.id) r`;

const findPayer = statement<{ account_id: string }>(
  'find_order_account',
  'SELECT account_id FROM orders WHERE id = $1',
);
const loadOne = statement<RefundableOrder>(
  'load_refundable_order',
  `SELECT ${COLUMNS} WHERE o.id = $1 AND o.account_id = $2`,
);
// Terms are in one index, what is paid for beside them in another: said apart, PostgreSQL reads both.
// What was paid back for a part of a term is spread over that part evenly, as the term's price is over the term.
const loadRunning = statement<RunningOrder>(
  'load_running_orders',
  `SELECT o.*, coalesce(b.given_back, 0)::bigint AS given_back
   FROM (SELECT ${COLUMNS} WHERE o.service_id = $1 AND o.state = 'completed' AND o.period_to > $2
     AND (o.action <> 'extra' OR o.action = 'extra')) o
   CROSS JOIN LATERAL (
     SELECT round(sum(f.gross * extract(epoch FROM o.period_to - greatest($2, f.period_from, o.period_from))
       / extract(epoch FROM o.period_to - greatest(f.period_from, o.period_from)))) AS given_back
     FROM refunds f WHERE f.order_id = o.id AND f.basis = 'pro_rata' AND f.period_from < o.period_to) b
   ORDER BY o.period_from`,
);

/** Whose order it is, for locking the account before the order is read; null: there is no such order. */
export async function payerOf(tx: Transaction, orderId: string): Promise<string | null> {
  const [order] = await tx.run(findPayer, [orderId]);
  return order?.account_id ?? null;
}

/** An order of a locked account; null: it has no such order. */
export async function refundableOrder(
  tx: Transaction,
  accountId: string,
  orderId: string,
): Promise<RefundableOrder | null> {
  const [order] = await tx.run(loadOne, [orderId, accountId]);
  return order ?? null;
}

/** The paid orders of a service whose terms are not over at `now`, in their order. Its account must be locked. */
export async function runningOrders(
  tx: Transaction,
  serviceId: string,
  now: Instant,
): Promise<RunningOrder[]> {
  return await tx.run(loadRunning, [serviceId, now]);
}

/** What can still be paid back; nothing of an order that was not paid. */
export function refundable(order: RefundableOrder): Amount {
  return order.state === 'completed' ? order.gross - order.refunded_gross : 0n;
}

/**
 * The tax within a refund: the order's tax is spread over its gross, and rounded on the running sum of what was
 * paid back. So whatever is refunded in whichever steps, tax never exceeds the order's, and all of it is all.
 */
export function refundTax(
  order: Pick<RefundableOrder, 'gross' | 'tax' | 'refunded_gross' | 'refunded_tax'>,
  gross: Amount,
): Amount {
  return divideRounded(order.tax * (order.refunded_gross + gross), order.gross) - order.refunded_tax;
}

export interface RefundDraft {
  readonly gross: Amount;
  readonly basis: RefundBasis;
  /** From when on nothing of the term is delivered any more, of `pro_rata` less; its end when all of it is. */
  readonly periodFrom: Instant;
  readonly reason: string;
  /** The user who decided it. */
  readonly createdBy: string | null;
}

export interface Refund {
  readonly id: string;
  readonly entryId: string;
  readonly gross: Amount;
  readonly tax: Amount;
  /** The order with this refund. */
  readonly order: RefundableOrder;
}

/**
 * Pays money of an order back to the balance: the entry is the order's own turned round, in part or whole. A refund
 * without an invoice number is a credit note's draft. Throws RangeError on more than is left, or nothing.
 */
export function refundOrder(uow: UnitOfWork, order: RefundableOrder, draft: RefundDraft): Refund {
  const { gross, basis, periodFrom, reason, createdBy } = draft;
  if (gross <= 0n || gross > refundable(order)) throw new RangeError(`a refund of ${gross} of ${order.id}`);
  const account = lockedAccount(uow, order.account_id);
  const tax = refundTax(order, gross);
  const id = randomUUIDv7();
  const entryId = randomUUIDv7();
  const resource = { type: order.product, id: order.service_id };
  uow.changes.add(refundInsert, {
    id,
    account_id: account.id,
    order_id: order.id,
    basis,
    gross,
    tax,
    period_from: periodFrom,
    reason,
    entry_id: entryId,
    created_by: createdBy,
    created_at: uow.now,
  });
  account.floor = floorAfter(account, gross);
  post(uow, account, {
    id: entryId,
    kind: 'refund',
    amount: gross,
    tax,
    description: `Refund: ${order.description}`,
    orderId: order.id,
    resource,
    counterparts: [
      { ledgerAccount: revenueAccount(order.product), amount: tax - gross },
      { ledgerAccount: taxAccount(order.tax_rate), amount: -tax },
    ],
  });
  emit(uow, account, {
    type: 'order.refunded',
    resource,
    body: {
      order_id: order.id,
      refund_uuid: id,
      transaction_uuid: entryId,
      gross_minor: Number(gross),
      currency: account.currency,
      basis,
    },
  });
  const refunded = {
    refunded_gross: order.refunded_gross + gross,
    refunded_tax: order.refunded_tax + tax,
  };
  return { id, entryId, gross, tax, order: { ...order, ...refunded } };
}

const refundInsert = bulkInsert<{
  id: string;
  account_id: string;
  order_id: string;
  basis: RefundBasis;
  gross: bigint;
  tax: bigint;
  period_from: Instant;
  reason: string;
  entry_id: string;
  created_by: string | null;
  created_at: Instant;
}>('refunds', {
  id: 'uuid',
  account_id: 'uuid',
  order_id: 'uuid',
  basis: 'text',
  gross: 'bigint',
  tax: 'bigint',
  period_from: 'timestamptz',
  reason: 'text',
  entry_id: 'uuid',
  created_by: 'uuid',
  created_at: 'timestamptz',
});
