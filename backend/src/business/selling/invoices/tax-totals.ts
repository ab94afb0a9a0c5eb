import type { Amount, BasisPoints } from '../../../base/money.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { TaxKind } from '../../core/tax/treatment.ts';
import type { InvoiceFilter } from './list.ts';

/** What was invoiced under one tax treatment, less what was credited. */
export interface TaxTotal {
  readonly currency: string;
  readonly tax_kind: TaxKind;
  readonly tax_rate: BasisPoints;
  /** Whose tax it is: the seller's own country, or one that is declared by the one-stop shop. */
  readonly tax_country: string;
  readonly invoices: number;
  readonly credit_notes: number;
  readonly net: Amount;
  readonly tax: Amount;
  readonly gross: Amount;
}

const SIGN = `CASE i.kind WHEN 'invoice' THEN 1 ELSE -1 END`;

const total = statement<TaxTotal>(
  'total_taxes',
  `SELECT i.currency, i.tax_kind, i.tax_rate, i.tax_country,
     (count(*) FILTER (WHERE i.kind = 'invoice'))::int AS invoices,
     (count(*) FILTER (WHERE i.kind = 'credit_note'))::int AS credit_notes,
     sum(i.net * ${SIGN})::bigint AS net, sum(i.tax * ${SIGN})::bigint AS tax, sum(i.gross * ${SIGN})::bigint AS gross
   FROM invoices i
   WHERE i.issue_date BETWEEN $1 AND $2 AND ($3::uuid IS NULL OR i.account_id = $3)
   GROUP BY i.currency, i.tax_kind, i.tax_rate, i.tax_country
   ORDER BY i.currency, i.tax_kind, i.tax_country, i.tax_rate`,
);

/** What a tax return asks of a period, its first and last day included: sums by treatment, rate and country. */
export function taxTotals(
  db: Executor,
  period: { readonly from: string; readonly to: string; readonly accountId: InvoiceFilter['accountId'] },
): Promise<TaxTotal[]> {
  return db.run(total, [period.from, period.to, period.accountId]);
}
