import type { Invoice } from '../invoice.ts';
import { embedInvoice } from './factur-x.ts';
import { drawFeet } from './foot.ts';
import { drawHead } from './head.ts';
import type { Page } from './page.ts';
import { printIn } from './print.ts';
import { Sheet } from './sheet.ts';
import { drawSums } from './sums.ts';
import { drawTable } from './table.ts';
import { WORDS } from './words.ts';

/**
 * An invoice as people read it, with the structured one embedded: PDF/A-3, Factur-X. The same invoice gives the same
 * bytes. Others get their turns of the event loop while a long one is drawn.
 */
export async function renderInvoice(invoice: Invoice, xml: string): Promise<Buffer> {
  const { locale, currency, seller, kind, number, issued_at: issuedAt } = invoice;
  const at = new Date(issuedAt.epochMilliseconds);
  const words = WORDS[locale];
  const sheet = new Sheet({ title: `${words[kind]} ${number}`, locale, createdAt: at });
  const page: Page = { sheet, invoice, words, print: printIn(locale, currency, seller.timezone) };
  embedInvoice(sheet, xml, at);
  drawSums(page, await drawTable(page, drawHead(page)));
  drawFeet(page);
  return await sheet.bytes();
}
