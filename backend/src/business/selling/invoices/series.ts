import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Seller } from '../../core/catalog/schema/seller.ts';
import type { InvoiceDraft } from './draft.ts';
import { storedLine } from './line.ts';

export type InvoiceKind = 'invoice' | 'credit_note';

/** What numbering adds to a draft. */
export interface Numbered {
  readonly id: string;
  readonly number: string;
}

// The row of the series is locked from here to the end of the transaction, so this is the last thing that waits.
// A later number is never dated before an earlier one: this process's clock may be behind another's.
const insertNumbered = statement<Numbered>(
  'insert_numbered_invoices',
  `WITH taken AS (
     INSERT INTO invoice_series AS s (series, year, last, issue_date, issued_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (series, year) DO UPDATE SET last = s.last + excluded.last,
       issue_date = greatest(s.issue_date, excluded.issue_date), issued_at = greatest(s.issued_at, excluded.issued_at)
     RETURNING s.last - $3 AS before, s.issue_date, s.issued_at)
   INSERT INTO invoices (id, account_id, kind, series, year, sequence, number, currency, lines, net, tax_kind,
     tax_rate, tax_country, tax, gross, buyer, seller, locale, corrects, issue_date, issued_at)
   SELECT n.id, n.account_id, $6, $1, $2, t.before + n.place,
     $1 || '-' || $2 || '-' || lpad((t.before + n.place)::text, greatest(6, length((t.before + n.place)::text)), '0'),
     n.currency, n.lines, n.net, n.tax_kind, n.tax_rate, n.tax_country, n.tax, n.gross, n.buyer, $7::jsonb, n.locale,
     n.corrects, t.issue_date, t.issued_at
   FROM taken t, unnest($8::uuid[], $9::uuid[], $10::text[], $11::jsonb[], $12::bigint[], $13::text[], $14::integer[],
       $15::text[], $16::bigint[], $17::bigint[], $18::jsonb[], $19::text[], $20::uuid[]) WITH ORDINALITY
     AS n(id, account_id, currency, lines, net, tax_kind, tax_rate, tax_country, tax, gross, buyer, locale, corrects,
       place)
   RETURNING id, number`,
);

/**
 * Writes drafts as invoices with the next numbers of the series and year, in their order. The year and the date are
 * those at the seller's. Numbers have no gaps: they are taken by the transaction that writes the invoices, and
 * whoever comes next waits for its end. Answers the numbers by invoice.
 */
export async function insertInvoices(
  tx: Transaction,
  kind: InvoiceKind,
  drafts: readonly InvoiceDraft[],
  { seller, now }: { readonly seller: Seller; readonly now: Instant },
): Promise<ReadonlyMap<string, string>> {
  if (drafts.length === 0) return new Map();
  const day = now.toZonedDateTimeISO(seller.timezone).toPlainDate();
  const column = <T>(of: (draft: InvoiceDraft) => T): T[] => drafts.map(of);
  const rows = await tx.run(insertNumbered, [
    kind === 'invoice' ? seller.invoice_series : seller.credit_note_series,
    day.year,
    drafts.length,
    day.toString(),
    now,
    kind,
    JSON.stringify(seller),
    column(({ id }) => id),
    column(({ accountId }) => accountId),
    column(({ currency }) => currency),
    column(({ lines }) => JSON.stringify(lines.map(storedLine))),
    column(({ net }) => net),
    column(({ taxKind }) => taxKind),
    column(({ taxRate }) => taxRate),
    column(({ taxCountry }) => taxCountry),
    column(({ tax }) => tax),
    column(({ gross }) => gross),
    column(({ buyer }) => JSON.stringify(buyer)),
    column(({ locale }) => locale),
    column(({ corrects }) => corrects),
  ]);
  return new Map(rows.map(({ id, number }) => [id, number]));
}
