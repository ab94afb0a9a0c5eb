import { fail } from './fault.ts';

/** A word of the presentation format (RFC 1035 §5.1), with its escapes. */
export interface Token {
  /** As written, without the quotes around all of it. */
  readonly raw: string;
  readonly quoted: boolean;
}

const SPACE = /[ \t]/;
const SPACE_OR_SPECIAL = /[ \t\r\n;()]/;

/** Line breaks and the like are never meant; what is meant is written as an escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const CONTROL = /[\0-\x08\x0a-\x1f\x7f\ufffd]/;

/** Fails for text that holds control characters, or was no text before something made it one. */
export function requireCleanText(text: string): void {
  if (!text.isWellFormed() || text.includes('\ufffd')) fail('invalid_format', 'This is not valid UTF-8.');
  if (CONTROL.test(text)) {
    fail('invalid_format', 'This holds a line break or another control character; escape it as \\DDD.');
  }
}

/** The word that begins at a place, and where it ends. `special` adds what ends words in a zone file. */
export function scanToken(text: string, start: number, special: boolean): { token: Token; end: number } {
  const ends = special ? SPACE_OR_SPECIAL : SPACE;
  if (text[start] === '"') {
    const end = quotedEnd(text, start);
    return { token: { raw: text.slice(start + 1, end), quoted: true }, end: end + 1 };
  }
  let at = start;
  while (at < text.length && !ends.test(text[at] ?? '')) {
    if (text[at] === '\\') at += 2;
    else if (text[at] === '"') at = quotedEnd(text, at) + 1;
    else at += 1;
  }
  const end = Math.min(at, text.length);
  return { token: { raw: text.slice(start, end), quoted: false }, end };
}

function quotedEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') return at;
    if (character === '\n') break;
    if (character === '\\') at += 1;
  }
  return fail('invalid_format', 'A quotation mark is not closed.');
}

/** The words of a record's content, in which no character is special but spaces, quotes and backslashes. */
export function splitTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    if (SPACE.test(text[at] ?? '')) {
      at += 1;
      continue;
    }
    const { token, end } = scanToken(text, at, false);
    tokens.push(token);
    at = end;
  }
  return tokens;
}

/** What a text with escapes stands for: `\DDD` an octet, `\X` the character X, all else itself in UTF-8. */
export function octetsOf(raw: string): Buffer {
  if (!raw.includes('\\')) return Buffer.from(raw);
  const parts: Buffer[] = [];
  for (const [part] of raw.matchAll(/\\[0-9]{1,3}|\\.?|[^\\]+/gsu)) {
    parts.push(part.startsWith('\\') ? octetsOfEscape(part) : Buffer.from(part));
  }
  return Buffer.concat(parts);
}

function octetsOfEscape(written: string): Buffer {
  const digits = written.slice(1);
  if (digits === '') fail('invalid_format', 'A backslash has nothing after it.');
  if (!/^[0-9]/.test(digits)) return Buffer.from(digits);
  if (digits.length !== 3 || Number(digits) > 255) {
    fail('invalid_format', `${written} is no escape: a backslash takes three digits from 000 to 255.`);
  }
  return Buffer.of(Number(digits));
}

/** The only text that octets have in quotes: `"a\"b\\c\195\188"`. */
export function quote(octets: Uint8Array): string {
  let text = '"';
  for (const octet of octets) text += QUOTED[octet];
  return `${text}"`;
}

const QUOTED = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet);
  if (octet < 0x20 || octet > 0x7e) return escapeOctet(octet);
  return character === '"' || character === '\\' ? `\\${character}` : character;
});

export function escapeOctet(octet: number): string {
  return `\\${String(octet).padStart(3, '0')}`;
}
