import type { Amount, BasisPoints } from '../../../base/money.ts';
import type { Instant, TermUnit } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { OrderRequest } from './order.ts';

/** An order as its customer sees it afterwards. */
export interface PastOrder {
  readonly id: string;
  readonly product: OrderRequest['product'];
  readonly action: OrderRequest['action'];
  readonly service_id: string;
  readonly state: 'pending' | 'completed' | 'failed';
  readonly description: string;
  readonly automatic: boolean;
  readonly price_version: number;
  readonly currency: string;
  /** As they were priced: unit prices in ten-thousandths as text, nets as the wire's numbers. */
  readonly lines: readonly {
    readonly description: string;
    readonly quantity: number;
    readonly unit_price: string;
    readonly net: number;
  }[];
  readonly net: Amount;
  readonly discount: Amount;
  readonly discount_code: string | null;
  readonly tax_kind: 'standard' | 'reverse_charge' | 'export' | 'small_business';
  readonly tax_country: string;
  readonly tax_rate: BasisPoints;
  readonly tax: Amount;
  readonly gross: Amount;
  readonly refunded: Amount;
  readonly duration: number;
  readonly duration_unit: TermUnit;
  readonly period_from: Instant;
  readonly period_to: Instant;
  readonly terms_version: string | null;
  readonly consent_hash: Buffer | null;
  readonly consent_ip: string | null;
  readonly entry_id: string;
  readonly invoice_id: string | null;
  readonly created_at: Instant;
  readonly closed_at: Instant | null;
}

export interface OrderFilter {
  readonly accountId: string;
  readonly state: PastOrder['state'] | null;
  readonly product: PastOrder['product'] | null;
  readonly serviceId: string | null;
  /** A LIKE pattern for the description. */
  readonly description: string | null;
  /** The services that a token may see; null: all. */
  readonly services: readonly string[] | null;
}

const COLUMNS = `o.id, o.product, o.action, o.service_id, o.state, o.description, o.automatic, o.price_version,
  o.currency, o.lines, o.net, o.discount, o.discount_code, o.tax_kind, o.tax_country, o.tax_rate, o.tax, o.gross,
  (SELECT coalesce(sum(r.gross), 0)::bigint FROM refunds r WHERE r.order_id = o.id) AS refunded, o.duration,
  o.duration_unit, o.period_from, o.period_to, o.terms_version, o.consent_hash, host(o.consent_ip) AS consent_ip,
  o.entry_id, o.invoice_id, o.created_at, o.closed_at`;
const FOUND = `FROM orders o WHERE o.account_id = $1 AND ($2::text IS NULL OR o.state = $2)
  AND ($3::text IS NULL OR o.product = $3) AND ($4::uuid IS NULL OR o.service_id = $4)
  AND ($5::text IS NULL OR o.description ILIKE $5) AND ($6::uuid[] IS NULL OR o.service_id = ANY($6))`;

const list = (order: 'asc' | 'desc') =>
  statement<PastOrder>(
    `list_orders_${order}`,
    `SELECT ${COLUMNS} ${FOUND} ORDER BY o.created_at ${order}, o.id ${order} LIMIT $7 OFFSET $8`,
  );
const listed = { asc: list('asc'), desc: list('desc') };
const count = statement<{ total: bigint }>('count_orders', `SELECT count(*) AS total ${FOUND}`);
const load = statement<PastOrder>(
  'load_order',
  `SELECT ${COLUMNS} FROM orders o WHERE o.id = $2 AND o.account_id = $1`,
);

/** An account's orders by when they were placed, and how many there are. */
export async function listOrders(
  db: Executor,
  filter: OrderFilter,
  page: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
): Promise<{ readonly orders: readonly PastOrder[]; readonly total: number }> {
  const values = [
    filter.accountId,
    filter.state,
    filter.product,
    filter.serviceId,
    filter.description,
    filter.services,
  ];
  const [orders, [counted]] = await Promise.all([
    db.run(listed[page.order], [...values, page.limit, page.offset]),
    db.run(count, values),
  ]);
  return { orders, total: Number(counted?.total ?? 0n) };
}

/** null: the account has no such order. */
export async function pastOrder(db: Executor, accountId: string, id: string): Promise<PastOrder | null> {
  return (await db.run(load, [accountId, id]))[0] ?? null;
}

export interface PastRefund {
  readonly id: string;
  readonly basis: 'pro_rata' | 'statutory_withdrawal' | 'goodwill' | 'undelivered';
  readonly gross: Amount;
  readonly tax: Amount;
  readonly period_from: Instant;
  readonly reason: string;
  readonly entry_id: string;
  readonly invoice_id: string | null;
  readonly created_at: Instant;
}

const loadRefunds = statement<PastRefund>(
  'load_order_refunds',
  `SELECT id, basis, gross, tax, period_from, reason, entry_id, invoice_id, created_at
   FROM refunds WHERE order_id = $1 ORDER BY created_at, id`,
);

/** What was paid back of an order, the oldest first. */
export function refundsOf(db: Executor, orderId: string): Promise<PastRefund[]> {
  return db.run(loadRefunds, [orderId]);
}
