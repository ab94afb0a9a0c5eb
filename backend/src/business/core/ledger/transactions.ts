import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import type { EntryKind } from './entry.ts';
import {
  type BookedEntry,
  creditsIn,
  type EntryFilter,
  entriesIn,
  matchingEntries,
  matchingSums,
  rangeOf,
  type SeqRange,
  type Turnover,
  turnover,
} from './history.ts';
import { countPending, type PendingEntry, pendingEntries } from './pending.ts';

/** As many of the newest entries of a period are searched for a text. */
export const MOST_SEARCHED = 5_000n;

export interface TransactionFilter {
  readonly kind: EntryKind | null;
  readonly direction: 'credit' | 'debit' | null;
  readonly resourceId: string | null;
  /** A LIKE pattern for the description. */
  readonly description: string | null;
  readonly from: Instant | null;
  readonly before: Instant | null;
}

/** Rows to skip and to give, in the order asked for. */
export interface Page {
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

export interface Transactions {
  /** In the order asked for; a customer sees what is to come as the newest of all. */
  readonly rows: readonly (PendingEntry | BookedEntry)[];
  readonly total: number;
  /** Of the booked ones: sums of all that match, balances before and after the period. */
  readonly summary: Turnover;
}

/**
 * A page of everything that an account paid, received, or has on hold: the holds as if they were booked after
 * all booked entries. Without a filter but the period, a page is a range of the ledger's dense sequence, equally
 * fast anywhere. null: a filtered page that lies deeper than `deepest` rows.
 */
export async function transactionsOf(
  db: Executor,
  account: { readonly id: string; readonly ledger_seq: bigint },
  filter: TransactionFilter,
  page: Page,
  deepest: number,
): Promise<Transactions | null> {
  const holds = { ...filter, accountId: account.id };
  const [period, pendingTotal] = await Promise.all([
    rangeOf(db, account.id, account.ledger_seq, filter),
    filter.direction === 'credit' ? 0 : countPending(db, holds).then(Number),
  ]);
  const whole = filter.direction === null && isOnlyDirection(filter);
  const range = filter.description === null ? period : newestOf(period);
  const [summary, total] = whole
    ? [await turnover(db, account.id, range), Number(range.last - range.first) + 1]
    : await summed(db, account.id, range, filter);
  const parts = split(page, pendingTotal, Math.max(0, total));
  if (!whole && parts.booked.offset > deepest) return null;
  const [pending, booked] = await Promise.all([
    parts.pending.limit === 0 ? [] : pendingEntries(db, holds, parts.pending),
    parts.booked.limit === 0
      ? []
      : whole
        ? entriesIn(db, account.id, sliceOf(range, page.order, parts.booked))
        : matchingEntries(db, account.id, range, filter, { ...parts.booked, order: page.order }),
  ]);
  const rows =
    page.order === 'asc'
      ? [...booked, ...pending]
      : [...pending.toReversed(), ...(whole ? booked.toReversed() : booked)];
  return { rows, total: pendingTotal + Math.max(0, total), summary };
}

async function summed(
  db: Executor,
  accountId: string,
  range: SeqRange,
  filter: EntryFilter,
): Promise<[Turnover, number]> {
  if (filter.direction !== null && isOnlyDirection(filter)) {
    const [period, credits] = await Promise.all([
      turnover(db, accountId, range),
      creditsIn(db, accountId, range),
    ]);
    if (filter.direction === 'credit') return [{ ...period, debit: 0n }, Number(credits)];
    return [{ ...period, credit: 0n }, Number(range.last - range.first + 1n - credits)];
  }
  const [period, sums] = await Promise.all([
    turnover(db, accountId, range),
    matchingSums(db, accountId, range, filter),
  ]);
  return [{ ...period, credit: sums.credit, debit: sums.debit }, Number(sums.total)];
}

/** What a search looks through: no index finds parts of texts. */
function newestOf({ first, last }: SeqRange): SeqRange {
  const oldest = last - MOST_SEARCHED + 1n;
  return { first: first > oldest ? first : oldest, last };
}

/** Then the credits tell it all: the debits are the rest. */
function isOnlyDirection({ kind, resourceId, description }: EntryFilter): boolean {
  return kind === null && resourceId === null && description === null;
}

interface Slice {
  readonly offset: number;
  readonly limit: number;
}

/**
 * Which part of each list a page shows: the booked in the order asked for, the pending always from the oldest
 * on (newest first, they come before all booked ones; oldest first, after them).
 */
export function split(page: Page, pending: number, booked: number): { pending: Slice; booked: Slice } {
  const [from, to] = [page.offset, page.offset + page.limit];
  const slice = (start: number, end: number) => ({ offset: start, limit: Math.max(0, end - start) });
  if (page.order === 'asc') {
    const after = (at: number) => Math.min(Math.max(0, at - booked), pending);
    return {
      booked: slice(Math.min(from, booked), Math.min(to, booked)),
      pending: slice(after(from), after(to)),
    };
  }
  const after = (at: number) => Math.min(Math.max(0, at - pending), booked);
  return {
    booked: slice(after(from), after(to)),
    pending: slice(pending - Math.min(to, pending), pending - Math.min(from, pending)),
  };
}

/** The sequence numbers of a slice that counts from the range's end (newest first) or its beginning. */
function sliceOf(range: SeqRange, order: 'asc' | 'desc', slice: Slice): SeqRange {
  const [offset, limit] = [BigInt(slice.offset), BigInt(slice.limit)];
  return order === 'asc'
    ? { first: range.first + offset, last: range.first + offset + limit - 1n }
    : { first: range.last - offset - limit + 1n, last: range.last - offset };
}
