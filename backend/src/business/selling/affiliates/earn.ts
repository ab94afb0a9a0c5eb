import { randomUUIDv7 } from 'node:crypto';
import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { type Transaction, transaction } from '../../../db/transaction.ts';
import type { CatalogStore } from '../../core/catalog/versions.ts';
import { commissionOn } from './commission.ts';

/** Customers at once, and entries of each: what one transaction reads stays small whatever has piled up. */
const CUSTOMERS = 500;
const ENTRIES = 1_000;

interface PaidOrder {
  readonly customer_id: string;
  /** How far this reads the customer's ledger. */
  readonly upto: bigint;
  /** null where nothing was bought up to there; then all that follows is null as well. */
  readonly order_id: string | null;
  readonly affiliate_id: string;
  readonly product: string;
  readonly net: Amount;
  readonly currency: string;
  readonly price_version: number;
  readonly closed_at: Instant;
  /** Whether nothing was bought before. */
  readonly first: boolean;
  /** Whether the affiliate can be given it: the account is there, in this currency. */
  readonly earns: boolean;
}

// The ledger's dense numbers tell what is new of each customer, in the order in which it was paid for: neither
// clocks nor transactions that commit late can make one be overlooked.
const unread = statement<PaidOrder>(
  'unread_referred_orders',
  `WITH behind AS (
     SELECT a.id, a.referred_by, coalesce(p.ledger_seq, 0) AS done,
       least(a.ledger_seq, coalesce(p.ledger_seq, 0) + ${ENTRIES}) AS upto
     FROM accounts a JOIN affiliates f ON f.account_id = a.referred_by
     LEFT JOIN commission_progress p ON p.account_id = a.id
     WHERE a.referred_by IS NOT NULL AND a.ledger_seq > coalesce(p.ledger_seq, 0)
     LIMIT ${CUSTOMERS})
   SELECT b.id AS customer_id, b.upto, o.id AS order_id, b.referred_by AS affiliate_id, o.product, o.net, o.currency,
     o.price_version, o.closed_at, r.state <> 'closed' AND r.currency = o.currency AS earns,
     NOT EXISTS (SELECT FROM ledger_entries e2 WHERE e2.account_id = b.id AND e2.seq < e.seq
       AND e2.kind IN ('order', 'renewal') AND e2.amount < 0) AS first
   FROM behind b JOIN accounts r ON r.id = b.referred_by
   LEFT JOIN (ledger_entries e JOIN orders o ON o.id = e.order_id AND o.gross > 0)
     ON e.account_id = b.id AND e.seq > b.done AND e.seq <= b.upto AND e.kind IN ('order', 'renewal')
   ORDER BY b.id, e.seq`,
);

const insert = statement<object>(
  'insert_commissions',
  `INSERT INTO commissions (id, affiliate_id, order_id, product, order_total, amount, currency, state, created_at, due_at)
   SELECT id, affiliate_id, order_id, product, order_total, amount, currency, 'pending', created_at, due_at
   FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::text[],
     $8::timestamptz[], $9::timestamptz[])
     u(id, affiliate_id, order_id, product, order_total, amount, currency, created_at, due_at)
   ON CONFLICT (order_id) DO NOTHING`,
);
const advance = statement<object>(
  'advance_commissions',
  `INSERT INTO commission_progress (account_id, ledger_seq)
   SELECT account_id, ledger_seq FROM unnest($1::uuid[], $2::bigint[]) u(account_id, ledger_seq)
   ON CONFLICT (account_id) DO UPDATE SET ledger_seq = greatest(commission_progress.ledger_seq, excluded.ledger_seq)`,
);

/**
 * Gives affiliates a pending commission for what their customers have paid for since it was last looked: by the terms
 * of the catalogue that priced the order, for the first order only unless those terms say `recurring`. Each order
 * earns once, whoever runs this how often; a crash leaves it to be looked at again.
 */
export async function earnCommissions(pool: Pool, catalogs: CatalogStore): Promise<void> {
  for (let customers = CUSTOMERS; customers === CUSTOMERS; ) {
    customers = await transaction(pool, (tx) => earn(tx, catalogs));
  }
}

async function earn(tx: Transaction, catalogs: CatalogStore): Promise<number> {
  const orders = await tx.run(unread, []);
  const progress = new Map(orders.map((order) => [order.customer_id, order.upto]));
  if (progress.size === 0) return 0;
  const earned = [];
  for (const order of orders) {
    if (order.order_id === null || !order.earns) continue;
    const terms = (await catalogs.version(tx, order.price_version)).content.affiliate;
    const amount = commissionOn(terms, order.net);
    if (amount === 0n || !(order.first || terms.recurring)) continue;
    earned.push({ ...order, amount, dueAt: order.closed_at.add({ hours: 24 * terms.hold_days }) });
  }
  if (earned.length > 0) {
    await tx.run(insert, [
      earned.map(() => randomUUIDv7()),
      earned.map((order) => order.affiliate_id),
      earned.map((order) => order.order_id),
      earned.map((order) => order.product),
      earned.map((order) => order.net),
      earned.map((order) => order.amount),
      earned.map((order) => order.currency),
      earned.map((order) => order.closed_at),
      earned.map((order) => order.dueAt),
    ]);
  }
  await tx.run(advance, [[...progress.keys()], [...progress.values()]]);
  return progress.size;
}
