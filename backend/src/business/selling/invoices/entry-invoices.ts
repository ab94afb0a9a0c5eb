import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

interface InvoicedEntry {
  entry_id: string;
  invoice_id: string;
}

const find = statement<InvoicedEntry>(
  'invoices_of_entries',
  `SELECT entry_id, invoice_id FROM orders WHERE id = ANY($1::uuid[]) AND invoice_id IS NOT NULL
   UNION ALL
   SELECT entry_id, invoice_id FROM refunds WHERE entry_id = ANY($2::uuid[]) AND invoice_id IS NOT NULL`,
);

/** Which invoice or credit note tells of a booked entry, by entry: for all entries of a page at once. */
export async function invoicesOfEntries(
  db: Executor,
  entries: readonly { readonly id: string; readonly kind: string; readonly order_id: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const ordered = entries.filter((entry) => entry.order_id !== null);
  if (ordered.length === 0) return new Map();
  const refunds = ordered.filter((entry) => entry.kind === 'refund').map(({ id }) => id);
  const orders = ordered.filter((entry) => entry.kind !== 'refund').map((entry) => entry.order_id);
  const found = await db.run(find, [orders, refunds]);
  return new Map(found.map((row) => [row.entry_id, row.invoice_id]));
}
