/** A line of a mail's header, unfolded. */
export interface HeaderLine {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

const MOST_BYTES = 256 * 1024;

/** The lines of a mail's header in their order (RFC 5322 §2.2), which is from the last server to the first. */
export function headerLines(content: Buffer): readonly HeaderLine[] {
  const begin = content.subarray(0, MOST_BYTES).toString('latin1');
  const end = /\r?\n\r?\n/.exec(begin)?.index ?? begin.length;
  return begin
    .slice(0, end)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return colon <= 0
        ? []
        : [{ name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() }];
    });
}
