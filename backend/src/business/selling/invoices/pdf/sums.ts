import { taxNote } from '../tax-note.ts';
import { PAID_FROM_BALANCE } from '../wording.ts';
import type { Page } from './page.ts';
import { ACCENT, FLOOR, INK, LEFT, MUTED, RULE, SHADE } from './sheet.ts';
import { AMOUNTS_RIGHT } from './table.ts';

const SUMS_LEFT = 318;
const NOTES_WIDTH = 226;
const NEEDED = 132;

/** What it comes to, how it was paid, and what the law wants said: kept together on one page. */
export function drawSums(page: Page, below: number): void {
  const { sheet, invoice, words, print } = page;
  let y = below + 10;
  if (y + NEEDED > FLOOR) {
    sheet.doc.addPage();
    y = 60;
  }
  const top = y;
  const taxed = invoice.tax_kind === 'standard';
  const abroad = invoice.tax_country !== '' && invoice.tax_country !== invoice.seller.country;
  const place = abroad ? ` (${invoice.tax_country})` : '';
  y = drawSum(page, y, words.net, print.amount(invoice.net));
  if (taxed) {
    y = drawSum(page, y, `${words.tax} ${print.rate(invoice.tax_rate)}${place}`, print.amount(invoice.tax));
  }
  sheet.rule(y + 1, INK, SUMS_LEFT, AMOUNTS_RIGHT);
  y = drawSum(page, y + 7, words.gross, print.amount(invoice.gross), true);
  sheet.rule(y + 2, RULE, SUMS_LEFT, AMOUNTS_RIGHT);
  const isInvoice = invoice.kind === 'invoice';
  y = drawSum(
    page,
    y + 8,
    isInvoice ? words.paid : words.paidBack,
    print.amount(isInvoice ? -invoice.gross : invoice.gross),
  );
  if (isInvoice) drawSum(page, y, words.due, print.amount(0n));
  drawNotes(page, top);
}

function drawSum({ sheet }: Page, y: number, name: string, amount: string, strong = false): number {
  const size = strong ? 11.5 : 9;
  sheet.text(name, SUMS_LEFT, y, { size, bold: strong, color: strong ? INK : MUTED });
  sheet.text(amount, SUMS_LEFT + 60, y, {
    size,
    bold: strong,
    width: AMOUNTS_RIGHT - SUMS_LEFT - 60,
    align: 'right',
  });
  return y + (strong ? 18 : 15);
}

function drawNotes({ sheet, invoice, words }: Page, top: number): void {
  const paid = PAID_FROM_BALANCE[invoice.kind][invoice.locale];
  const style = { size: 9, bold: true, color: ACCENT, width: NOTES_WIDTH - 20 };
  const height = sheet.height(paid, style) + 14;
  sheet.box(LEFT, top - 2, NOTES_WIDTH, height, SHADE);
  sheet.text(paid, LEFT + 10, top + 5.5, style);
  const note = taxNote(invoice.tax_kind, invoice.seller.country, invoice.locale);
  let y = top + height + 8;
  if (note !== null) y = sheet.text(note, LEFT, y, { size: 8.5, width: NOTES_WIDTH }) + 6;
  sheet.text(words.embedded, LEFT, y, { size: 7.5, color: MUTED, width: NOTES_WIDTH });
}
