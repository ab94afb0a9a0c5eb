import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** scheduled: not yet good; used_up: as often as it may be; ended: no longer good. */
export type DiscountState = 'scheduled' | 'active' | 'used_up' | 'ended';

/** A discount code as operators list them. */
export interface ListedDiscount {
  readonly code: string;
  readonly percent: number;
  readonly products: readonly string[] | null;
  readonly items: readonly string[] | null;
  readonly cycles: number;
  readonly max_uses: number | null;
  readonly max_uses_per_account: number | null;
  readonly uses: number;
  readonly valid_from: Instant;
  readonly valid_until: Instant | null;
  readonly account_id: string | null;
  readonly note: string;
  readonly created_at: Instant;
  readonly state: DiscountState;
}

export interface DiscountFilter {
  readonly state: DiscountState | null;
  /** Codes that were given to this customer. */
  readonly accountId: string | null;
  /** A LIKE pattern for the code or the note. */
  readonly text: string | null;
}

const COLUMNS = `code, percent, products, items, cycles, max_uses, max_uses_per_account, uses, valid_from, valid_until,
  account_id, note, created_at`;
const STATE = `CASE WHEN valid_until <= $1 THEN 'ended' WHEN uses >= max_uses THEN 'used_up' WHEN valid_from > $1
  THEN 'scheduled' ELSE 'active' END`;
const FOUND = `FROM discount_codes WHERE ($2::text IS NULL OR $2 = ${STATE})
  AND ($3::uuid IS NULL OR account_id = $3) AND ($4::text IS NULL OR code ILIKE $4 OR note ILIKE $4)`;

const list = (order: 'asc' | 'desc') =>
  statement<ListedDiscount>(
    `list_discounts_${order}`,
    `SELECT ${COLUMNS}, ${STATE} AS state ${FOUND} ORDER BY created_at ${order}, code ${order} LIMIT $5 OFFSET $6`,
  );
const listed = { asc: list('asc'), desc: list('desc') };
const count = statement<{ total: bigint }>('count_discounts', `SELECT count(*) AS total ${FOUND}`);

/** Discount codes by when they were made, and how many there are. */
export async function listDiscounts(
  db: Executor,
  filter: DiscountFilter,
  page: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
  now: Instant,
): Promise<{ readonly discounts: readonly ListedDiscount[]; readonly total: number }> {
  const values = [now, filter.state, filter.accountId, filter.text];
  const [discounts, [counted]] = await Promise.all([
    db.run(listed[page.order], [...values, page.limit, page.offset]),
    db.run(count, values),
  ]);
  return { discounts, total: Number(counted?.total ?? 0n) };
}

const one = statement<ListedDiscount>(
  'find_discount',
  `SELECT ${COLUMNS}, ${STATE} AS state FROM discount_codes WHERE code = $2`,
);

export async function findDiscount(db: Executor, code: string, now: Instant): Promise<ListedDiscount | null> {
  const [found] = await db.run(one, [now, code]);
  return found ?? null;
}
