import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { EntryKind } from '../../core/ledger/entry.ts';
import { rangeOf, type Turnover, turnover } from '../../core/ledger/history.ts';

/** A calendar month where the seller is. */
export interface Month {
  readonly from: Instant;
  readonly before: Instant;
  /** YYYY-MM-DD. */
  readonly firstDay: string;
  readonly lastDay: string;
}

export function monthOf(month: Temporal.PlainYearMonth, timeZone: string): Month {
  const start = (of: Temporal.PlainYearMonth) =>
    of.toPlainDate({ day: 1 }).toZonedDateTime(timeZone).toInstant();
  return {
    from: start(month),
    before: start(month.add({ months: 1 })),
    firstDay: month.toPlainDate({ day: 1 }).toString(),
    lastDay: month.toPlainDate({ day: month.daysInMonth }).toString(),
  };
}

export interface KindSum {
  readonly kind: EntryKind;
  readonly entries: number;
  /** Below zero: it was taken. */
  readonly amount: Amount;
}

const sumKinds = statement<KindSum>(
  'sum_ledger_kinds',
  `SELECT kind, count(*)::int AS entries, sum(amount)::bigint AS amount FROM ledger_entries
   WHERE account_id = $1 AND seq BETWEEN $2 AND $3 GROUP BY kind ORDER BY kind`,
);

/** What a month did to an account: opening + credit - debit = closing, and the sums of kinds are what it moved. */
export async function statementOf(
  db: Executor,
  account: { readonly id: string; readonly ledger_seq: bigint },
  month: Month,
): Promise<{ readonly turnover: Turnover; readonly kinds: readonly KindSum[] }> {
  const range = await rangeOf(db, account.id, account.ledger_seq, month);
  const [moved, kinds] = await Promise.all([
    turnover(db, account.id, range),
    db.run(sumKinds, [account.id, range.first, range.last]),
  ]);
  return { turnover: moved, kinds };
}

export interface MovedAccount {
  readonly id: string;
  readonly currency: string;
  readonly opening: Amount;
  readonly credit: Amount;
  readonly debit: Amount;
  readonly closing: Amount;
}

// Whoever moved since has their last entry since then; the others are passed over without a look at their entries.
const moved = statement<MovedAccount>(
  'accounts_moved',
  `SELECT a.id, a.currency, first.balance_after - first.amount AS opening, m.credit, m.debit,
     last.balance_after AS closing
   FROM (SELECT id, currency FROM accounts WHERE id > $3 AND ledger_at >= $1 ORDER BY id LIMIT $4) a
   JOIN LATERAL (SELECT min(seq) AS first, max(seq) AS last,
       coalesce(sum(amount) FILTER (WHERE amount > 0), 0)::bigint AS credit,
       coalesce(-sum(amount) FILTER (WHERE amount < 0), 0)::bigint AS debit
     FROM ledger_entries WHERE account_id = a.id AND created_at >= $1 AND created_at < $2) m ON true
   LEFT JOIN ledger_entries first ON first.account_id = a.id AND first.seq = m.first
   LEFT JOIN ledger_entries last ON last.account_id = a.id AND last.seq = m.last
   ORDER BY a.id`,
);

/**
 * Accounts by their ids, from `after` on, that have an entry in the month or later, with what the month did to them:
 * nulls when its entries are all later. Fewer than `limit`: these were the last.
 */
export function accountsMoved(
  db: Executor,
  month: Month,
  after: string,
  limit: number,
): Promise<(MovedAccount | { readonly id: string; readonly closing: null })[]> {
  return db.run(moved, [month.from, month.before, after, limit]);
}
