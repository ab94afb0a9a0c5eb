import type { Amount } from '../../../base/money.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { ENTRY_KINDS, type EntryKind } from './entry.ts';
import type { SeqRange } from './history.ts';

const SUMS = `count(*) AS entries, coalesce(sum(amount) FILTER (WHERE amount > 0), 0)::bigint AS credit,
  coalesce(-sum(amount) FILTER (WHERE amount < 0), 0)::bigint AS debit`;

interface Sums {
  readonly total: bigint;
  readonly credit: Amount;
  readonly debit: Amount;
}

// From the last mark on, or all where there is none yet: whatever the job has done, the sum is right.
const upTo = statement<Sums>(
  'ledger_marked_up_to',
  `WITH mark AS (
     SELECT seq, entries, credit, debit FROM ledger_marks
     WHERE account_id = $1 AND kind = $2 AND seq <= $3 ORDER BY seq DESC LIMIT 1)
   SELECT coalesce(m.entries, 0) + rest.entries AS total, coalesce(m.credit, 0) + rest.credit AS credit,
     coalesce(m.debit, 0) + rest.debit AS debit
   FROM (SELECT) one LEFT JOIN mark m ON true CROSS JOIN LATERAL (
     SELECT ${SUMS} FROM ledger_entries e
     WHERE e.account_id = $1 AND e.kind = $2 AND e.seq > coalesce(m.seq, 0) AND e.seq <= $3) rest`,
);

/** How many of a range are of this kind, and what they add up to; both sums positive. */
export async function markedSums(
  db: Executor,
  accountId: string,
  { first, last }: SeqRange,
  kind: EntryKind,
): Promise<Sums> {
  if (last < first) return { total: 0n, credit: 0n, debit: 0n };
  const [[before], [end]] = await Promise.all([
    db.run(upTo, [accountId, kind, first - 1n]),
    db.run(upTo, [accountId, kind, last]),
  ]);
  if (before === undefined || end === undefined) throw new Error('a sum has no row');
  return {
    total: end.total - before.total,
    credit: end.credit - before.credit,
    debit: end.debit - before.debit,
  };
}

// The due ones of an account begin where its marks end, since each run takes them in order.
const mark = statement<object>(
  'mark_ledger',
  `WITH due AS (
     SELECT e.account_id, e.seq, min(e.seq) OVER (PARTITION BY e.account_id) AS begins FROM (
       SELECT account_id, seq FROM ledger_entries e
       WHERE e.seq % 1000 = 0 AND NOT EXISTS (
         SELECT FROM ledger_marks m WHERE m.account_id = e.account_id AND m.kind = 'renewal' AND m.seq = e.seq)
       ORDER BY account_id, seq LIMIT $1) e),
   blocks AS (
     SELECT d.account_id, d.seq, d.begins, k.kind, b.entries, b.credit, b.debit
     FROM due d CROSS JOIN unnest($2::text[]) k(kind) CROSS JOIN LATERAL (
       SELECT ${SUMS} FROM ledger_entries e
       WHERE e.account_id = d.account_id AND e.kind = k.kind AND e.seq > d.seq - 1000 AND e.seq <= d.seq) b)
   INSERT INTO ledger_marks (account_id, kind, seq, entries, credit, debit)
   SELECT b.account_id, b.kind, b.seq, coalesce(m.entries, 0) + sum(b.entries) OVER w,
     coalesce(m.credit, 0) + sum(b.credit) OVER w, coalesce(m.debit, 0) + sum(b.debit) OVER w
   FROM blocks b LEFT JOIN ledger_marks m
     ON m.account_id = b.account_id AND m.kind = b.kind AND m.seq = b.begins - 1000
   WINDOW w AS (PARTITION BY b.account_id, b.kind ORDER BY b.seq)
   ON CONFLICT DO NOTHING RETURNING 1`,
);

/** Marks the next of what is due, at most `most` thousands of entries. Answers whether there may be more. */
export async function markNext(db: Executor, most: number): Promise<boolean> {
  return (await db.run(mark, [most, ENTRY_KINDS])).length >= most * ENTRY_KINDS.length;
}
