import type { Amount } from '../../../../base/money.ts';
import type { Instant } from '../../../../base/time.ts';
import { bulkUpdate } from '../../../../db/changes.ts';
import type { Executor } from '../../../../db/pool.ts';
import { statement } from '../../../../db/statement.ts';
import type { Transaction } from '../../../../db/transaction.ts';

export type BankEntryState = 'unmatched' | 'matched' | 'ignored';

/** An entry of a statement that was imported. */
export interface BankEntry {
  readonly id: string;
  readonly booked_on: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly debtor_name: string | null;
  readonly debtor_iban: string | null;
  readonly remittance: string;
  readonly state: BankEntryState;
  readonly payment_id: string | null;
  readonly account_id: string | null;
  readonly entry_id: string | null;
  /** Why it matches no payment, or what an operator wrote. */
  readonly note: string;
  readonly imported_at: Instant;
}

const COLUMNS = `b.id, b.booked_on::text, b.amount, b.currency, b.debtor_name, b.debtor_iban, b.remittance, b.state,
  b.payment_id, b.account_id, b.entry_id, b.note, b.imported_at`;

const lock = statement<BankEntry>(
  'lock_bank_entry',
  `SELECT ${COLUMNS} FROM bank_entries b WHERE b.id = $1 FOR UPDATE`,
);

export async function lockBankEntry(tx: Transaction, id: string): Promise<BankEntry | null> {
  const [entry] = await tx.run(lock, [id]);
  return entry ?? null;
}

/** What an entry became. */
export const bankEntryOutcome = bulkUpdate<{
  id: string;
  state: BankEntryState;
  payment_id: string | null;
  account_id: string | null;
  entry_id: string | null;
  note: string;
}>(
  'bank_entries',
  'outcome',
  { id: 'uuid', state: 'text', payment_id: 'uuid', account_id: 'uuid', entry_id: 'uuid', note: 'text' },
  'state = n.state, payment_id = n.payment_id, account_id = n.account_id, entry_id = n.entry_id, note = n.note',
);

const FOUND = `FROM bank_entries b WHERE ($1::text IS NULL OR b.state = $1)
  AND ($2::text IS NULL OR b.remittance ILIKE $2 OR b.debtor_name ILIKE $2 OR b.debtor_iban ILIKE $2)`;
const list = (order: 'asc' | 'desc') =>
  statement<BankEntry>(
    `list_bank_entries_${order}`,
    `SELECT ${COLUMNS} ${FOUND} ORDER BY b.imported_at ${order}, b.id ${order} LIMIT $3 OFFSET $4`,
  );
const listed = { asc: list('asc'), desc: list('desc') };
const count = statement<{ total: bigint }>('count_bank_entries', `SELECT count(*) AS total ${FOUND}`);

export interface BankEntryFilter {
  readonly state: BankEntryState | null;
  /** A LIKE pattern for what was written and who paid. */
  readonly text: string | null;
}

/** Imported entries by when they were imported, and how many there are. */
export async function listBankEntries(
  db: Executor,
  { state, text }: BankEntryFilter,
  page: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
): Promise<{ readonly entries: readonly BankEntry[]; readonly total: number }> {
  const values = [state, text];
  const [entries, [counted]] = await Promise.all([
    db.run(listed[page.order], [...values, page.limit, page.offset]),
    db.run(count, values),
  ]);
  return { entries, total: Number(counted?.total ?? 0n) };
}
