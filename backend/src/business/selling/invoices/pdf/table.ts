import { setImmediate } from 'node:timers/promises';
import type { InvoiceLine } from '../line.ts';
import type { Page } from './page.ts';
import { FLOOR, LEFT, MUTED, RIGHT, SHADE, WIDTH } from './sheet.ts';

interface Column {
  readonly left: number;
  readonly width: number;
  readonly align: 'left' | 'right';
}

const COLUMNS = {
  position: { left: LEFT + 6, width: 26, align: 'left' },
  description: { left: LEFT + 34, width: 236, align: 'left' },
  quantity: { left: LEFT + 272, width: 46, align: 'right' },
  unitPrice: { left: LEFT + 320, width: 82, align: 'right' },
  amount: { left: LEFT + 404, width: WIDTH - 410, align: 'right' },
} as const satisfies Record<string, Column>;

const TOP_OF_NEXT = 60;
const HEADING = 18;
const GAP = 7;
/** Orders that are drawn before others get their turn of the event loop. */
const AT_ONCE = 25;

/** The lines by their orders, over as many pages as they need; answers the place below them. */
export async function drawTable(page: Page, top: number): Promise<number> {
  const orders = [...Map.groupBy(page.invoice.lines, (line) => line.orderId).values()];
  let y = drawHeading(page, top);
  for (const [index, lines] of orders.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const height = heightOf(page, lines);
    if (y + height > FLOOR - 12) {
      page.sheet.doc.addPage();
      y = drawHeading(page, TOP_OF_NEXT);
    }
    y = drawOrder(page, lines, index + 1, y);
  }
  return y;
}

function drawHeading({ sheet, words }: Page, y: number): number {
  sheet.box(LEFT, y, WIDTH, HEADING, SHADE);
  for (const name of ['position', 'description', 'quantity', 'unitPrice', 'amount'] as const) {
    const { left, width, align } = COLUMNS[name];
    sheet.text(words[name], left, y + 4.5, { size: 7.5, bold: true, color: MUTED, width, align });
  }
  return y + HEADING + GAP;
}

const TITLE = { size: 9, bold: true, width: COLUMNS.description.width };
const PART = { size: 8.5, width: COLUMNS.description.width };
const DETAIL = { size: 8, color: MUTED, width: COLUMNS.description.width };

/** An order of one line has its numbers beside the title; else each line has its own below it. */
function drawOrder(page: Page, lines: readonly InvoiceLine[], position: number, top: number): number {
  const { sheet } = page;
  const [first, ...more] = lines;
  if (first === undefined) return top;
  const { left } = COLUMNS.description;
  sheet.text(String(position), COLUMNS.position.left, top, { size: 9, color: MUTED });
  let y = sheet.text(first.title, left, top, TITLE);
  if (more.length === 0) drawNumbers(page, first, top, TITLE.size);
  y = sheet.text(detailOf(page, lines), left, y, DETAIL);
  if (more.length > 0) {
    y += 3;
    for (const line of lines) {
      drawNumbers(page, line, y, PART.size);
      y = sheet.text(line.description, left, y, PART) + 1.5;
    }
  }
  sheet.rule(y + GAP / 2);
  return y + GAP + 2;
}

function detailOf({ print }: Page, [first, ...more]: readonly InvoiceLine[]): string {
  if (first === undefined) return '';
  const period = print.period(first.periodFrom, first.periodTo);
  return more.length === 0 ? `${first.description} · ${period}` : period;
}

function drawNumbers({ sheet, print }: Page, line: InvoiceLine, y: number, size: number): void {
  const cells: [keyof typeof COLUMNS, string][] = [
    ['quantity', String(line.quantity)],
    ['unitPrice', print.unitPrice(line.net, line.quantity)],
    ['amount', print.amount(line.net)],
  ];
  for (const [name, text] of cells) {
    const { left, width, align } = COLUMNS[name];
    sheet.text(text, left, y, { size, width, align });
  }
}

function heightOf(page: Page, lines: readonly InvoiceLine[]): number {
  const { sheet } = page;
  const [first, ...more] = lines;
  if (first === undefined) return 0;
  const head = sheet.height(first.title, TITLE) + sheet.height(detailOf(page, lines), DETAIL) + GAP + 2;
  if (more.length === 0) return head;
  return head + 3 + lines.reduce((sum, line) => sum + sheet.height(line.description, PART) + 1.5, 0);
}

/** The right edge of the amounts, which the sums stand below. */
export const AMOUNTS_RIGHT = RIGHT - 6;
