/** Of a body: a value costs a hundred times its bytes once it is parsed and checked. Zones of 10,000 records have 70,000. */
const MAX_VALUES = 100_000;
const MAX_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * What a JSON text has too much of, be it valid or not: levels, or values; null: neither. It is counted in the bytes,
 * before anything is made of them: each value but the first follows a bracket or a comma. Texts are leapt over.
 */
export function checkNesting(bytes: Buffer): string | null {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = closingQuote(bytes, at + 1);
    } else if (byte === COMMA) {
      values += 1;
    } else if (OPENING.has(byte)) {
      values += 1;
      depth += 1;
      if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`;
    } else if (CLOSING.has(byte)) {
      depth -= 1;
    }
    if (values > MAX_VALUES) return `it holds more than ${MAX_VALUES} values`;
  }
  return null;
}

/** The end of a text; that of the bytes, where it has none. */
function closingQuote(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let before = at - 1;
    while (before >= from && bytes[before] === BACKSLASH) before -= 1;
    if ((at - 1 - before) % 2 === 0) return at;
  }
  return bytes.length;
}
