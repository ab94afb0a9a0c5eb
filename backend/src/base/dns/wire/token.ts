/** One word of RDATA in presentation form: still escaped, without its quotes. */
export interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

// What a word may hold: escapes, and quotes within (`alpn="h2,h3"`).
const WORD = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"(?=\s|$)|((?:[^\s"\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*")+)|$)/y;

/** Splits RDATA as RFC 1035 §5.1 has it, on one line; throws RangeError where a quote is not closed. */
export function tokens(text: string): readonly Token[] {
  const found: Token[] = [];
  for (let at = 0; at < text.length; ) {
    WORD.lastIndex = at;
    const match = WORD.exec(text);
    if (match === null) throw new RangeError('a quoted text is not closed');
    at = WORD.lastIndex;
    if (match[1] !== undefined) found.push({ text: match[1], quoted: true });
    else if (match[2] !== undefined) found.push({ text: match[2], quoted: false });
  }
  return found;
}
