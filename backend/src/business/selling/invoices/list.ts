import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { HEAD_COLUMNS, type InvoiceHead } from './invoice.ts';
import type { InvoiceKind } from './series.ts';

/** What invoices are looked for by; null: any. Days are inclusive, those of issue. */
export interface InvoiceFilter {
  readonly accountId: string | null;
  readonly kind: InvoiceKind | null;
  readonly from: string | null;
  readonly to: string | null;
  /** How its number begins. */
  readonly number: string | null;
}

export interface InvoicePage {
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

const FOUND = `FROM invoices i LEFT JOIN invoices c ON c.id = i.corrects
  WHERE ($1::uuid IS NULL OR i.account_id = $1) AND ($2::text IS NULL OR i.kind = $2)
    AND i.issue_date >= coalesce($3::date, '-infinity') AND i.issue_date <= coalesce($4::date, 'infinity')
    AND ($5::text IS NULL OR starts_with(i.number, $5))`;
// Apart, so that each is served by its index: a plan is made once, for any values.
const OF_ACCOUNT = FOUND.replace('($1::uuid IS NULL OR i.account_id = $1)', 'i.account_id = $1');
const OF_NUMBER = FOUND.replace(
  '($5::text IS NULL OR starts_with(i.number, $5))',
  `i.number >= $5 AND i.number < $5 || '~' AND starts_with(i.number, $5)`,
);

function search(name: string, found: string, sort: readonly string[]) {
  const page = (order: 'asc' | 'desc') => {
    const columns = sort.map((column) => `${column} ${order}`).join(', ');
    return statement<InvoiceHead>(
      `${name}_${order}`,
      `SELECT ${HEAD_COLUMNS} ${found} ORDER BY ${columns} LIMIT $6 OFFSET $7`,
    );
  };
  const count = statement<{ total: bigint }>(`count_${name}`, `SELECT count(*) AS total ${found}`);
  return { asc: page('asc'), desc: page('desc'), count };
}

/** Of one moment: what was sold before what was credited, and each by its number. */
const WITHIN_A_MOMENT = ["(i.kind = 'credit_note')", 'i.sequence'];
const searches = {
  account: search('invoices_of_account', OF_ACCOUNT, ['i.issued_at', ...WITHIN_A_MOMENT]),
  number: search('invoices_by_number', OF_NUMBER, ['i.number']),
  any: search('invoices_of_all', FOUND, ['i.issue_date', ...WITHIN_A_MOMENT]),
};

/** A page of the invoices that match, by when they were issued (or by number, when one is looked for). */
export async function listInvoices(
  db: Executor,
  filter: InvoiceFilter,
  page: InvoicePage,
): Promise<{ readonly invoices: readonly InvoiceHead[]; readonly total: number }> {
  const by =
    filter.accountId !== null ? searches.account : filter.number !== null ? searches.number : searches.any;
  const values = [filter.accountId, filter.kind, filter.from, filter.to, filter.number];
  const [invoices, [counted]] = await Promise.all([
    db.run(by[page.order], [...values, page.limit, page.offset]),
    db.run(by.count, values),
  ]);
  return { invoices, total: Number(counted?.total ?? 0n) };
}
