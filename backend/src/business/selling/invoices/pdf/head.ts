import { servicePeriod } from '../period.ts';
import type { Page } from './page.ts';
import { ACCENT, INK, LEFT, MUTED, RIGHT } from './sheet.ts';

const ADDRESS_TOP = 127;
const ADDRESS_WIDTH = 240;
const FACTS_LEFT = 330;
const LINE = 14;

/** Seller's name, the buyer's address where a window envelope shows it (DIN 5008), and the facts. */
export function drawHead(page: Page): number {
  const { sheet, invoice, words } = page;
  const { seller } = invoice;
  sheet.text(seller.name, LEFT, 48, { size: 14, bold: true, width: 300 });
  sheet.text(words[invoice.kind], FACTS_LEFT - 60, 45, {
    size: 20,
    bold: true,
    color: ACCENT,
    width: RIGHT - FACTS_LEFT + 60,
    align: 'right',
  });
  const sender = [seller.name, seller.street, `${seller.zip} ${seller.city}`].join(' · ');
  sheet.text(sender, LEFT, ADDRESS_TOP, { size: 6.5, color: MUTED, width: ADDRESS_WIDTH });
  let y = ADDRESS_TOP + 16;
  for (const [index, line] of addressOf(page).entries()) {
    y = sheet.text(line, LEFT, y, { size: 10, bold: index === 0, width: ADDRESS_WIDTH }) + 1;
  }
  return Math.max(y, drawFacts(page), 235) + 28;
}

function addressOf({ invoice }: Page): string[] {
  const { buyer, seller, locale } = invoice;
  const country =
    buyer.country === '' || buyer.country === seller.country
      ? ''
      : (new Intl.DisplayNames(locale, { type: 'region' }).of(buyer.country) ?? buyer.country);
  return [
    buyer.company ?? '',
    buyer.name,
    ...buyer.street,
    `${buyer.zip} ${buyer.city}`.trim(),
    buyer.country === '' ? buyer.email : '',
    country.toUpperCase(),
  ].filter((line) => line !== '');
}

function drawFacts({ sheet, invoice, words, print }: Page): number {
  const period = servicePeriod(invoice.lines);
  const day = (date: string) => print.date(Temporal.PlainDate.from(date));
  const facts: [string, string | null][] = [
    [words.number, invoice.number],
    [words.date, day(invoice.issue_date)],
    [words.customer, invoice.buyer.customer_number],
    [words.period, print.period(period.from, period.to)],
    [words.buyerVat, invoice.buyer.vat_id],
    [words.corrects, invoice.corrects_number],
    ['', invoice.corrects_date === null ? null : day(invoice.corrects_date)],
  ];
  let y = ADDRESS_TOP;
  for (const [name, value] of facts) {
    if (value === null) continue;
    sheet.text(name, FACTS_LEFT, y, { size: 8.5, color: MUTED });
    sheet.text(value, FACTS_LEFT + 60, y, {
      size: 8.5,
      bold: name === words.number,
      color: INK,
      width: RIGHT - FACTS_LEFT - 60,
      align: 'right',
    });
    y += LINE;
  }
  return y;
}
