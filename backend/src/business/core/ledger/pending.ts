import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** A hold that is neither captured nor released: an entry to come, under the uuid that it will have. */
export interface PendingEntry {
  readonly id: string;
  readonly kind: 'order' | 'renewal';
  readonly currency: string;
  readonly amount: Amount;
  readonly tax: Amount;
  /** The balance when this and all older ones have been booked. */
  readonly balance_after: Amount;
  readonly description: string;
  readonly order_id: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly created_at: Instant;
}

export interface PendingFilter {
  readonly accountId: string;
  readonly kind: string | null;
  readonly resourceId: string | null;
  /** A LIKE pattern for the description. */
  readonly description: string | null;
  readonly from: Instant | null;
  readonly before: Instant | null;
}

const PENDING = `FROM (
    SELECT h.entry_id AS id, CASE o.action WHEN 'renew' THEN 'renewal' ELSE 'order' END AS kind, o.currency,
      -h.amount AS amount, o.tax, a.balance - sum(h.amount) OVER (ORDER BY h.created_at, h.order_id)::bigint AS balance_after,
      o.description, h.order_id, o.product AS resource_type,
      o.service_id AS resource_id, h.created_at
    FROM holds h JOIN orders o ON o.id = h.order_id JOIN accounts a ON a.id = h.account_id
    WHERE h.account_id = $1 AND h.state = 'open') p
  WHERE ($2::text IS NULL OR p.kind = $2) AND ($3::uuid IS NULL OR p.resource_id = $3)
    AND ($4::text IS NULL OR p.description ILIKE $4)
    AND ($5::timestamptz IS NULL OR p.created_at >= $5) AND ($6::timestamptz IS NULL OR p.created_at < $6)`;

const count = statement<{ total: bigint }>('count_pending', `SELECT count(*) AS total ${PENDING}`);
const list = statement<PendingEntry>(
  'list_pending',
  `SELECT p.* ${PENDING} ORDER BY p.created_at, p.order_id LIMIT $7 OFFSET $8`,
);

const values = (filter: PendingFilter) => [
  filter.accountId,
  filter.kind,
  filter.resourceId,
  filter.description,
  filter.from,
  filter.before,
];

export async function countPending(db: Executor, filter: PendingFilter): Promise<bigint> {
  return (await db.run(count, values(filter)))[0]?.total ?? 0n;
}

/** The oldest first. */
export function pendingEntries(
  db: Executor,
  filter: PendingFilter,
  window: { readonly limit: number; readonly offset: number },
): Promise<PendingEntry[]> {
  return db.run(list, [...values(filter), window.limit, window.offset]);
}
