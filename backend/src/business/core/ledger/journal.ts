import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { type Counterpart, entryText, type HashedEntry } from './entry.ts';
import type { SeqRange } from './history.ts';

/** An entry with both its sides and its place in the chain. */
export interface JournalEntry extends HashedEntry {
  readonly hash: Buffer;
  /** In their order; none for an entry of nothing. */
  readonly postings: readonly Counterpart[];
}

interface JournalRow extends HashedEntry {
  readonly hash: Buffer;
  readonly ledger_accounts: readonly string[] | null;
  readonly posted: readonly string[] | null;
}

const JOURNAL = `SELECT e.*, p.ledger_accounts, p.posted FROM ledger_entries e CROSS JOIN LATERAL (
    SELECT array_agg(ledger_account ORDER BY position) AS ledger_accounts,
      array_agg(amount::text ORDER BY position) AS posted
    FROM ledger_postings WHERE entry_id = e.id) p
  WHERE e.account_id = $1`;
const between = statement<JournalRow>(
  'journal_between',
  `${JOURNAL} AND e.seq BETWEEN $2 AND $3 ORDER BY e.seq`,
);
const findSeq = statement<{ seq: bigint }>(
  'find_entry_seq',
  'SELECT seq FROM ledger_entries WHERE id = $2 AND account_id = $1',
);

/** Every entry of a range, the oldest first. */
export async function journal(db: Executor, accountId: string, range: SeqRange): Promise<JournalEntry[]> {
  const rows = await db.run(between, [accountId, range.first, range.last]);
  return rows.map(({ ledger_accounts, posted, ...entry }) => ({
    ...entry,
    postings: (ledger_accounts ?? []).map((ledgerAccount, index) => ({
      ledgerAccount,
      amount: BigInt(posted?.[index] ?? 0),
    })),
  }));
}

/** Where an entry stands in the account's chain; null when it is none of the account's. */
export async function seqOf(db: Executor, accountId: string, entryId: string): Promise<bigint | null> {
  return (await db.run(findSeq, [accountId, entryId]))[0]?.seq ?? null;
}

/** The entry as a verifier hashes it. */
export function journalLine(entry: JournalEntry): string {
  return entryText(entry, entry.postings);
}
