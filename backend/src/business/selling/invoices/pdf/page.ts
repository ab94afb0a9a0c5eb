import type { Invoice } from '../invoice.ts';
import type { Print } from './print.ts';
import type { Sheet } from './sheet.ts';
import type { WORDS } from './words.ts';

/** What every part of the document is drawn with. */
export interface Page {
  readonly sheet: Sheet;
  readonly invoice: Invoice;
  readonly words: (typeof WORDS)['en'];
  readonly print: Print;
}
