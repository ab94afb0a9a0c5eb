import type { Page } from './page.ts';
import { FLOOR, LEFT, MUTED, WIDTH } from './sheet.ts';

const COLUMN = WIDTH / 3;
const SMALL = { size: 7, color: MUTED };

/** The seller's particulars and the page's number, on every page. */
export function drawFeet(page: Page): void {
  const { sheet, invoice, words } = page;
  const { count } = sheet.doc.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    sheet.doc.switchToPage(index);
    sheet.rule(FLOOR + 6);
    for (const [column, lines] of columnsOf(page).entries()) {
      let y = FLOOR + 13;
      for (const line of lines) {
        if (line !== '') y = sheet.text(line, LEFT + column * COLUMN, y, { ...SMALL, width: COLUMN - 12 });
      }
    }
    const place = `${invoice.number} · ${words.page} ${index + 1} ${words.of} ${count}`;
    sheet.text(place, LEFT, FLOOR + 68, { ...SMALL, width: WIDTH, align: 'right' });
  }
}

function columnsOf({ invoice: { seller }, words }: Page): string[][] {
  const named = (name: string, value: string | undefined) => (value === undefined ? '' : `${name} ${value}`);
  return [
    [seller.name, seller.street, `${seller.country}-${seller.zip} ${seller.city}`, ...seller.legal],
    [seller.phone ?? '', seller.email, seller.website?.replace(/^https?:\/\/|\/$/g, '') ?? ''],
    [
      named(words.vatNumber, seller.vat_id),
      named(words.taxNumber, seller.tax_number),
      seller.bank ?? '',
      named('IBAN', seller.iban?.replace(/(.{4})(?=.)/g, '$1 ')),
      named('BIC', seller.bic),
    ],
  ];
}
