import { escapeOctets, unescapeText } from './escape.ts';

/** The labels of an absolute name, as octets, without the root's. */
export type Labels = readonly Buffer[];

const MOST_OCTETS = 255;
const MOST_LABEL_OCTETS = 63;

/**
 * The labels of a name in presentation form (RFC 1035 §5.1), with or without the root's dot; throws RangeError for
 * what is no name.
 */
export function parseName(text: string): Labels {
  if (text === '.' || text === '') return [];
  const parts = text.match(/(?:[^.\\]|\\[\s\S])+|\./g) ?? [];
  const labels: Buffer[] = [];
  let whole = true;
  for (const part of parts) {
    if (part !== '.') labels.push(unescapeText(part));
    else if (whole) throw new RangeError(`${text} has an empty label`);
    whole = part === '.';
  }
  if (parts.join('') !== text) throw new RangeError(`${text} ends with a backslash`);
  if (labels.some((label) => label.length > MOST_LABEL_OCTETS))
    throw new RangeError('a label has more than 63 octets');
  if (encodeName(labels).length > MOST_OCTETS) throw new RangeError('a name has more than 255 octets');
  return labels;
}

/** Absolute, with the root's dot. */
export function nameText(labels: Labels): string {
  return labels.length === 0 ? '.' : labels.map((label) => `${escapeOctets(label, '."();')}.`).join('');
}

/** Without compression. */
export function encodeName(labels: Labels): Buffer {
  return Buffer.concat([...labels.flatMap((label) => [Buffer.of(label.length), label]), Buffer.of(0)]);
}

/** An uncompressed name that begins at `at`, and where it ends; throws RangeError where there is none. */
export function decodeName(octets: Buffer, at: number): { labels: Labels; end: number } {
  const labels: Buffer[] = [];
  let end = at;
  for (;;) {
    const length = octets[end];
    if (length === undefined || length > MOST_LABEL_OCTETS) throw new RangeError('not a name');
    end += 1 + length;
    if (end > octets.length || end - at > MOST_OCTETS) throw new RangeError('not a name');
    if (length === 0) return { labels, end };
    labels.push(octets.subarray(end - length, end));
  }
}

/** The same name whatever its case (RFC 4343): only ASCII letters have one. */
export function foldLabels(labels: Labels): Labels {
  return labels.map((label) => {
    const folded = Buffer.from(label);
    for (const [at, octet] of folded.entries()) if (octet >= 0x41 && octet <= 0x5a) folded[at] = octet + 0x20;
    return folded;
  });
}
