import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../../base/time.ts';
import { statement } from '../../../../db/statement.ts';
import type { Transaction } from '../../../../db/transaction.ts';
import { BANK } from '../../../../drivers/payment/port.ts';
import { lockAccounts, type UnitOfWork } from '../../../../unit-of-work/unit-of-work.ts';
import { lockPayments, type Payment } from '../payment.ts';
import { recordPayment } from '../record.ts';
import { referencesIn } from '../reference.ts';
import type { StatementEntry } from './camt.ts';
import { bankEntryOutcome } from './entry.ts';

export interface ImportSummary {
  /** Entries that were not known yet. */
  readonly imported: number;
  /** Of them, those that were booked. */
  readonly matched: number;
  readonly unmatched: number;
  readonly duplicates: number;
}

const referenced = statement<{ id: string; account_id: string; reference: string }>(
  'referenced_payments',
  `SELECT id, account_id, reference FROM payments WHERE method = '${BANK}' AND reference = ANY($1::text[])`,
);

// In the order of their names, so that two imports of one file wait for each other only once.
const insert = statement<{ bank_ref: string }>(
  'insert_bank_entries',
  `INSERT INTO bank_entries (id, bank_ref, iban, booked_on, amount, currency, debtor_name, debtor_iban, remittance,
     note, state, imported_at)
   SELECT u.*, 'unmatched', $11::timestamptz
   FROM unnest($1::uuid[], $2::text[], $3::text[], $4::date[], $5::bigint[], $6::text[], $7::text[], $8::text[],
     $9::text[], $10::text[]) u(id, bank_ref, iban, booked_on, amount, currency, debtor_name, debtor_iban, remittance, note)
   ORDER BY u.bank_ref
   ON CONFLICT (bank_ref) DO NOTHING RETURNING bank_ref`,
);

/** An entry with what it pays for, or why it pays for nothing. */
interface Matched {
  readonly id: string;
  readonly entry: StatementEntry;
  readonly paymentId: string | null;
  readonly note: string;
}

/**
 * Keeps the entries of a statement, each once however often it is imported, and books those that name a payment.
 * Locks the accounts of all of them, in order, and then the payments: nothing else may be locked before.
 */
export async function importEntries(
  tx: Transaction,
  uow: UnitOfWork,
  entries: readonly StatementEntry[],
): Promise<ImportSummary> {
  const references = [...new Set(entries.flatMap((entry) => referencesIn(entry.remittance)))];
  const found = await tx.run(referenced, [references]);
  const accounts = await lockAccounts(tx, [...new Set(found.map((payment) => payment.account_id))]);
  for (const [id, account] of accounts) uow.accounts.set(id, account);
  const payments = await lockPayments(
    tx,
    found.map((payment) => payment.id),
  );
  const byReference = new Map([...payments.values()].map((payment) => [payment.reference ?? '', payment]));
  // Of two entries of one name in one file the first is kept, as the database does it.
  const once = [
    ...new Map(entries.toReversed().map((entry) => [entry.bankRef, entry])).values(),
  ].toReversed();
  const matches = once.map((entry) => match(entry, byReference));
  const kept = await insertEntries(tx, matches, uow.now);
  const imported = matches.filter(({ entry }) => kept.has(entry.bankRef));
  for (const { id, entry, paymentId } of imported) {
    const payment = paymentId === null ? undefined : payments.get(paymentId);
    if (payment === undefined) continue;
    const received = payment.received + entry.amount;
    const recorded = recordPayment(uow, payment, { facts: { received } });
    payments.set(payment.id, recorded.payment);
    uow.changes.add(bankEntryOutcome, {
      id,
      state: 'matched',
      payment_id: payment.id,
      account_id: payment.account_id,
      entry_id: recorded.entryId,
      note: '',
    });
  }
  const matched = imported.filter(({ paymentId }) => paymentId !== null).length;
  return {
    imported: imported.length,
    matched,
    unmatched: imported.length - matched,
    duplicates: entries.length - imported.length,
  };
}

function match(entry: StatementEntry, payments: ReadonlyMap<string, Payment>): Matched {
  const id = randomUUIDv7();
  const unmatched = (note: string): Matched => ({ id, entry, paymentId: null, note });
  if (entry.reversal) return unmatched('reversal');
  const named = referencesIn(entry.remittance).flatMap((reference) => payments.get(reference) ?? []);
  const [payment] = named;
  if (payment === undefined) return unmatched('');
  if (named.length > 1) return unmatched('several references');
  // Others may have paid parts of it, without a reference.
  if (entry.undivided) return unmatched('several transactions');
  if (payment.currency !== entry.currency) return unmatched('other currency');
  return { id, entry, paymentId: payment.id, note: '' };
}

/** The names of those that were new. */
async function insertEntries(
  tx: Transaction,
  matches: readonly Matched[],
  now: Instant,
): Promise<ReadonlySet<string>> {
  const column = <T>(of: (match: Matched) => T) => matches.map(of);
  const rows = await tx.run(insert, [
    column(({ id }) => id),
    column(({ entry }) => entry.bankRef),
    column(({ entry }) => entry.iban),
    column(({ entry }) => entry.bookedOn),
    column(({ entry }) => entry.amount),
    column(({ entry }) => entry.currency),
    column(({ entry }) => entry.debtorName),
    column(({ entry }) => entry.debtorIban),
    column(({ entry }) => entry.remittance),
    column(({ note }) => note),
    now,
  ]);
  return new Set(rows.map((row) => row.bank_ref));
}
