import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { EntryKind } from './entry.ts';
import { markedSums } from './marks.ts';

/** A booked entry as the customer sees it. */
export interface BookedEntry {
  readonly id: string;
  readonly seq: bigint;
  readonly kind: EntryKind;
  readonly currency: string;
  readonly amount: Amount;
  readonly tax: Amount;
  readonly balance_after: Amount;
  readonly description: string;
  readonly order_id: string | null;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly created_at: Instant;
  /** Of a top-up: how the money came in. */
  readonly paid_by: string | null;
}

/** A customer's entries by their dense sequence, both ends included; empty when `last` is before `first`. */
export interface SeqRange {
  readonly first: bigint;
  readonly last: bigint;
}

const COLUMNS = `e.id, e.seq, e.kind, e.currency, e.amount, e.tax, e.balance_after, e.description, e.order_id,
  e.resource_type, e.resource_id, e.created_at,
  CASE WHEN e.kind = 'topup' THEN (SELECT substr(p.ledger_account, 6) FROM ledger_postings p
    WHERE p.entry_id = e.id AND p.ledger_account LIKE 'cash:%' LIMIT 1) END AS paid_by`;

// Times never fall along the sequence, so the first entry at or after an instant is found by bisection: some
// twenty look-ups in the primary key for a million entries, and no index for it to keep up.
const bisect = statement<{ seq: bigint }>(
  'bisect_ledger',
  `WITH RECURSIVE search(low, high) AS (
     SELECT 1::bigint, $3::bigint + 1
     UNION ALL
     SELECT CASE WHEN e.created_at < $2 THEN e.seq + 1 ELSE low END, CASE WHEN e.created_at < $2 THEN high ELSE e.seq END
     FROM search JOIN ledger_entries e ON e.account_id = $1 AND e.seq = (low + high) / 2
     WHERE low < high)
   SELECT low AS seq FROM search WHERE low = high`,
);

/** The entries of a period: from an instant on (null: the first), before another (null: to `last`). */
export async function rangeOf(
  db: Executor,
  accountId: string,
  last: bigint,
  period: { readonly from: Instant | null; readonly before: Instant | null },
): Promise<SeqRange> {
  const find = async (at: Instant) => (await db.run(bisect, [accountId, at, last]))[0]?.seq ?? last + 1n;
  const [first, end] = await Promise.all([
    period.from === null ? 1n : find(period.from),
    period.before === null ? last + 1n : find(period.before),
  ]);
  return { first, last: end - 1n };
}

const between = statement<BookedEntry>(
  'ledger_between',
  `SELECT ${COLUMNS} FROM ledger_entries e WHERE e.account_id = $1 AND e.seq BETWEEN $2 AND $3 ORDER BY e.seq`,
);

/** Every entry of a range, the oldest first. */
export function entriesIn(db: Executor, accountId: string, range: SeqRange): Promise<BookedEntry[]> {
  return db.run(between, [accountId, range.first, range.last]);
}

/** What entries are looked for by, within a range. null: any. */
export interface EntryFilter {
  readonly kind: EntryKind | null;
  readonly direction: 'credit' | 'debit' | null;
  readonly resourceId: string | null;
  /** A LIKE pattern for the description. */
  readonly description: string | null;
}

const MATCHING = `FROM ledger_entries e WHERE e.account_id = $1 AND e.seq BETWEEN $2 AND $3
  AND ($4::text IS NULL OR e.kind = $4) AND ($5::text IS NULL OR (e.amount > 0) = ($5 = 'credit'))
  AND ($6::text IS NULL OR e.description ILIKE $6)`;
// Apart, so that an index serves each: a plan is made once, for any values. Orders and renewals are in no index by
// kind: they are most of all lines, so a page finds them anywhere, and each would have to write it.
const OF_RESOURCE = `${MATCHING} AND e.resource_id = $7`;
const RARE = `${MATCHING} AND e.kind = $4 AND e.kind NOT IN ('order', 'renewal')`;
const CREDITS = `${MATCHING} AND e.amount > 0`;

const page = (name: string, found: string, order: 'asc' | 'desc', next: number) =>
  statement<BookedEntry>(
    `${name}_${order}`,
    `SELECT ${COLUMNS} ${found} ORDER BY e.seq ${order} LIMIT $${next} OFFSET $${next + 1}`,
  );
const sums = (name: string, found: string) =>
  statement<{ total: bigint; credit: bigint; debit: bigint }>(
    `${name}_sums`,
    `SELECT count(*) AS total, coalesce(sum(e.amount) FILTER (WHERE e.amount > 0), 0)::bigint AS credit,
       coalesce(-sum(e.amount) FILTER (WHERE e.amount < 0), 0)::bigint AS debit ${found}`,
  );
const statementsOf = (name: string, found: string, next: number) => ({
  asc: page(name, found, 'asc', next),
  desc: page(name, found, 'desc', next),
  sums: sums(name, found),
});
const any = statementsOf('ledger_matching', MATCHING, 7);
const rare = statementsOf('ledger_rare', RARE, 7);
const credits = statementsOf('ledger_credits', CREDITS, 7);
const ofResource = statementsOf('ledger_of_resource', OF_RESOURCE, 8);

function search(accountId: string, range: SeqRange, filter: EntryFilter) {
  const values = [accountId, range.first, range.last, filter.kind, filter.direction, filter.description];
  if (filter.resourceId !== null) return { statements: ofResource, values: [...values, filter.resourceId] };
  const { kind, direction } = filter;
  if (kind !== null && kind !== 'order' && kind !== 'renewal') return { statements: rare, values };
  return { statements: direction === 'credit' ? credits : any, values };
}

/** The entries of a range that match, in pages by OFFSET (which the caller bounds). */
export function matchingEntries(
  db: Executor,
  accountId: string,
  range: SeqRange,
  filter: EntryFilter,
  window: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
): Promise<BookedEntry[]> {
  const { statements, values } = search(accountId, range, filter);
  return db.run(statements[window.order], [...values, window.limit, window.offset]);
}

const countCredits = statement<{ total: bigint }>(
  'count_ledger_credits',
  'SELECT count(*) AS total FROM ledger_entries WHERE account_id = $1 AND seq BETWEEN $2 AND $3 AND amount > 0',
);

/** How many entries of a range are credits; all others count as debits. */
export async function creditsIn(db: Executor, accountId: string, range: SeqRange): Promise<bigint> {
  return (await db.run(countCredits, [accountId, range.first, range.last]))[0]?.total ?? 0n;
}

/** How many of a range match and what they add up to; both sums positive. Reads all of them, but what has marks. */
export async function matchingSums(
  db: Executor,
  accountId: string,
  range: SeqRange,
  filter: EntryFilter,
): Promise<{ readonly total: bigint; readonly credit: Amount; readonly debit: Amount }> {
  const { kind, direction, resourceId, description } = filter;
  if (kind !== null && direction === null && resourceId === null && description === null)
    return await markedSums(db, accountId, range, kind);
  const { statements, values } = search(accountId, range, filter);
  const [row] = await db.run(statements.sums, values);
  return row ?? { total: 0n, credit: 0n, debit: 0n };
}

const loadCredit = statement<{ credit: bigint }>(
  'ledger_credit',
  `SELECT coalesce(sum(amount), 0)::bigint AS credit FROM ledger_entries
   WHERE account_id = $1 AND seq BETWEEN $2 AND $3 AND amount > 0`,
);
const loadBalances = statement<{ seq: bigint; balance_after: bigint }>(
  'ledger_balances',
  'SELECT seq, balance_after FROM ledger_entries WHERE account_id = $1 AND seq IN ($2, $3)',
);

export interface Turnover {
  readonly opening: Amount;
  readonly credit: Amount;
  /** Positive. */
  readonly debit: Amount;
  readonly closing: Amount;
}

/**
 * What a range did to the balance: opening + credit - debit = closing. Reads the credits alone, which are few
 * and have their own index; the debits are the rest.
 */
export async function turnover(db: Executor, accountId: string, range: SeqRange): Promise<Turnover> {
  const [[sum], ends] = await Promise.all([
    db.run(loadCredit, [accountId, range.first, range.last]),
    db.run(loadBalances, [accountId, range.first - 1n, endOf(range)]),
  ]);
  const balanceAt = (seq: bigint) => ends.find((row) => row.seq === seq)?.balance_after ?? 0n;
  const opening = balanceAt(range.first - 1n);
  const closing = balanceAt(endOf(range));
  const credit = sum?.credit ?? 0n;
  return { opening, credit, debit: opening + credit - closing, closing };
}

/** Where a range ends; an empty one ends where it begins. */
function endOf(range: SeqRange): bigint {
  return range.last < range.first ? range.first - 1n : range.last;
}
