import type { Amount, BasisPoints } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Locale } from '../../../operation.ts';
import type { Seller } from '../../core/catalog/schema/seller.ts';
import type { TaxKind } from '../../core/tax/treatment.ts';
import type { Buyer } from './buyer.ts';
import { type InvoiceLine, lineOf, type StoredLine } from './line.ts';
import type { InvoiceKind } from './series.ts';

/** What lists show of an invoice or credit note. Amounts of a credit note are positive too: it pays them back. */
export interface InvoiceHead {
  readonly id: string;
  readonly account_id: string;
  readonly kind: InvoiceKind;
  readonly number: string;
  readonly currency: string;
  readonly net: Amount;
  readonly tax_kind: TaxKind;
  readonly tax_rate: BasisPoints;
  /** Where the sale is taxed. */
  readonly tax_country: string;
  readonly tax: Amount;
  readonly gross: Amount;
  /** Of a credit note: the invoice that it corrects, and that one's number. */
  readonly corrects: string | null;
  readonly corrects_number: string | null;
  /** YYYY-MM-DD, at the seller's. */
  readonly issue_date: string;
  readonly issued_at: Instant;
}

/** All that an invoice says; it never changes. */
export interface Invoice extends InvoiceHead {
  readonly lines: readonly InvoiceLine[];
  readonly buyer: Buyer;
  readonly seller: Seller;
  readonly locale: Locale;
  readonly corrects_date: string | null;
}

/** Of `invoices i LEFT JOIN invoices c ON c.id = i.corrects`. */
export const HEAD_COLUMNS = `i.id, i.account_id, i.kind, i.number, i.currency, i.net, i.tax_kind, i.tax_rate,
  i.tax_country, i.tax, i.gross, i.corrects, c.number AS corrects_number, i.issue_date, i.issued_at`;

interface InvoiceRow extends Omit<Invoice, 'lines'> {
  readonly lines: readonly StoredLine[];
}

const load = statement<InvoiceRow>(
  'load_invoice',
  `SELECT ${HEAD_COLUMNS}, i.lines, i.buyer, i.seller, i.locale, c.issue_date AS corrects_date
   FROM invoices i LEFT JOIN invoices c ON c.id = i.corrects WHERE i.id = $1 AND i.account_id = $2`,
);

/** An invoice of an account; null: it has no such. */
export async function invoiceOf(db: Executor, id: string, accountId: string): Promise<Invoice | null> {
  const [row] = await db.run(load, [id, accountId]);
  return row === undefined ? null : { ...row, lines: row.lines.map(lineOf) };
}
