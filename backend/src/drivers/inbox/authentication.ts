import type { HeaderLine } from './header.ts';

/** Whose word is taken for who wrote a mail. */
export interface Trust {
  /** The authserv-id (RFC 8601 §2.2) of our own mail server; null: nobody's. */
  readonly authserv: string | null;
  /** How many Received lines our own servers put above its results. */
  readonly hops: number;
}

/**
 * The domain for which our own mail server reports that DMARC passed; null: it does not. Only lines above those that
 * came with the mail count: a sender can write results too, under any name, but only below the Received line of the
 * server that they sent it to. The topmost result decides.
 */
export function authenticatedDomain(lines: readonly HeaderLine[], { authserv, hops }: Trust): string | null {
  if (authserv === null) return null;
  let received = 0;
  for (const { name, value } of lines) {
    if (name === 'received') received += 1;
    if (received > hops) return null;
    if (name !== 'authentication-results') continue;
    const [who = '', ...results] = withoutComments(value).split(';');
    // A version may follow the name.
    if (who.trim().split(/\s+/)[0]?.toLowerCase() !== authserv.toLowerCase()) continue;
    const dmarc = results.map((one) => one.trim()).find((one) => /^dmarc\s*(\/\s*\d+\s*)?=/i.test(one));
    if (dmarc === undefined) continue;
    if (!/^dmarc\s*(\/\s*\d+\s*)?=\s*pass(\s|$)/i.test(dmarc)) return null;
    return /\sheader\.from\s*=\s*"?([a-z0-9._-]+)"?(\s|$)/i.exec(` ${dmarc}`)?.[1]?.toLowerCase() ?? null;
  }
  return null;
}

/** Comments stand in parentheses, which may be nested (RFC 5322 §3.2.2), but not within quotation marks. */
function withoutComments(value: string): string {
  let [text, depth, quoted] = ['', 0, false];
  for (let at = 0; at < value.length; at += 1) {
    const letter = value[at] ?? '';
    if (letter === '\\') {
      if (depth === 0) text += value.slice(at, at + 2);
      at += 1;
    } else if (letter === '"' && depth === 0) {
      quoted = !quoted;
      text += letter;
    } else if (letter === '(' && !quoted) depth += 1;
    else if (letter === ')' && !quoted && depth > 0) depth -= 1;
    else if (depth === 0) text += quoted && letter === ';' ? ' ' : letter;
  }
  return text;
}
