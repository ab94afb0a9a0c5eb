import { sha256 } from '../../../base/canonical.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { crossIndustryInvoice } from './en16931/cross-industry-invoice.ts';
import { type Invoice, invoiceOf } from './invoice.ts';

export type InvoiceFormat = 'pdf' | 'xml';

export interface InvoiceFile {
  readonly name: string;
  readonly contentType: string;
  readonly content: Buffer;
}

const CONTENT_TYPES: Readonly<Record<InvoiceFormat, string>> = {
  pdf: 'application/pdf',
  xml: 'application/xml; charset=utf-8',
};

interface KeptDocument {
  content: Buffer;
  sha256: Buffer;
}

const load = statement<KeptDocument>(
  'load_invoice_document',
  'SELECT content, sha256 FROM invoice_documents WHERE invoice_id = $1 AND format = $2',
);
const keep = statement<object>(
  'keep_invoice_document',
  `INSERT INTO invoice_documents (invoice_id, format, content, sha256, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (invoice_id, format) DO NOTHING`,
);

/**
 * An account's invoice as a file: made when first asked for, and the same bytes ever after. null: the account has no
 * such invoice.
 */
export async function invoiceFile(
  db: Executor,
  asked: { readonly id: string; readonly accountId: string; readonly format: InvoiceFormat },
  now: Instant,
): Promise<InvoiceFile | null> {
  const invoice = await invoiceOf(db, asked.id, asked.accountId);
  if (invoice === null) return null;
  return {
    name: `${invoice.number}.${asked.format}`,
    contentType: CONTENT_TYPES[asked.format],
    content: await documentOf(db, invoice, asked.format, now),
  };
}

async function documentOf(
  db: Executor,
  invoice: Invoice,
  format: InvoiceFormat,
  now: Instant,
): Promise<Buffer> {
  const kept = await keptDocument(db, invoice.id, format);
  if (kept !== null) return kept;
  const made =
    format === 'xml'
      ? Buffer.from(crossIndustryInvoice(invoice))
      : // What is embedded is what was or will be given out by itself.
        await renderedInvoice(invoice, (await documentOf(db, invoice, 'xml', now)).toString());
  await db.run(keep, [invoice.id, format, made, sha256(made), now]);
  // Somebody else may have made it at the same moment: the first one counts.
  return (await keptDocument(db, invoice.id, format)) ?? made;
}

/** Typesetting and its fonts take 30 MB: a process that renders nothing does without. */
async function renderedInvoice(invoice: Invoice, xml: string): Promise<Buffer> {
  const { renderInvoice } = await import('./pdf/render.ts');
  return await renderInvoice(invoice, xml);
}

async function keptDocument(db: Executor, id: string, format: InvoiceFormat): Promise<Buffer | null> {
  const [kept] = await db.run(load, [id, format]);
  if (kept === undefined) return null;
  if (!sha256(kept.content).equals(kept.sha256))
    throw new Error(`the ${format} of invoice ${id} was changed`);
  return kept.content;
}
