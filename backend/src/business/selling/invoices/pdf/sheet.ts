import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import type { Locale } from '../../../../operation.ts';

const fontPath = (name: string) =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/ibm-plex-sans/${name}/IBMPlexSans_${name}.ttf`));
const REGULAR = fontPath('400Regular');
const BOLD = fontPath('600SemiBold');

export const INK = '#17212e';
export const MUTED = '#66717f';
export const RULE = '#d6dce3';
export const SHADE = '#f3f5f8';
export const ACCENT = '#1c5d99';

/** DIN A4 in points, with margins of 20 mm. */
export const LEFT = 56.7;
export const RIGHT = 538.6;
export const WIDTH = RIGHT - LEFT;
/** Where the footer begins. */
export const FLOOR = 752;

interface TextStyle {
  readonly size?: number;
  readonly bold?: boolean;
  readonly color?: string;
  /** Within this; without, one line as long as it is. */
  readonly width?: number;
  readonly align?: 'left' | 'right';
}

/** A PDF/A-3 document on A4 that is drawn by places in points from the top left. */
export class Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly #bytes: Promise<Buffer>;

  constructor(info: { readonly title: string; readonly locale: Locale; readonly createdAt: Date }) {
    this.doc = new PDFDocument({
      size: 'A4',
      margin: 0,
      pdfVersion: '1.7',
      subset: 'PDF/A-3b',
      lang: info.locale,
      displayTitle: true,
      bufferPages: true,
      // No font of the reader's own may be used.
      font: REGULAR,
      info: { Title: info.title, Creator: 'Hostkeep', Producer: 'Hostkeep', CreationDate: info.createdAt },
    });
    const chunks: Buffer[] = [];
    this.#bytes = new Promise((resolve, reject) => {
      this.doc
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve(Buffer.concat(chunks)))
        .on('error', reject);
    });
  }

  /** Ends the document: all of its bytes. */
  async bytes(): Promise<Buffer> {
    this.doc.end();
    return await this.#bytes;
  }

  /** Writes a text; answers the place below it. */
  text(text: string, x: number, y: number, style: TextStyle = {}): number {
    const { width, align = 'left' } = style;
    const printed = this.#style(text, style);
    this.doc.text(printed, x, y, {
      align,
      lineGap: 1.5,
      ...(width === undefined ? { lineBreak: false } : { width }),
    });
    return y + (width === undefined ? this.doc.currentLineHeight(true) : this.#height(printed, width));
  }

  /** How high a text of that width is. */
  height(text: string, style: TextStyle & { readonly width: number }): number {
    return this.#height(this.#style(text, style), style.width);
  }

  rule(y: number, color = RULE, from = LEFT, to = RIGHT): void {
    this.doc.moveTo(from, y).lineTo(to, y).lineWidth(0.6).strokeColor(color).stroke();
  }

  box(x: number, y: number, width: number, height: number, color: string): void {
    this.doc.roundedRect(x, y, width, height, 3).fill(color);
  }

  #style(text: string, { size = 9, bold = false, color = INK }: TextStyle): string {
    this.doc
      .font(bold ? BOLD : REGULAR)
      .fontSize(size)
      .fillColor(color);
    return printable(text);
  }

  #height(text: string, width: number): number {
    return this.doc.heightOfString(text, { width, lineGap: 1.5 });
  }
}

/** The font's scripts; letters of others would be empty boxes, which PDF/A forbids. The embedded XML has them. */
const UNPRINTABLE =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|\p{Extended_Pictographic}/gu;

function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\p{Cc}/gu, ' ')
    .replace(UNPRINTABLE, '?');
}
