/** An address with the name that stands before it. */
export interface Mailbox {
  /** May be empty. */
  readonly name: string;
  readonly address: string;
}

const MAX_LENGTH = 254;
const ADDRESS = /^[^\s\p{C}@<>()[\]\\,;:"]{1,64}@[^\s\p{C}@<>()[\]\\,;:"]+$/u;

/**
 * Whether mail can be sent there: one address (RFC 5321), unquoted, with nothing in it that a command or a header
 * would take for its own end.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}

/** Reads `Example Hosting <noreply@hosting.example>`, or the address alone; null when it is neither. */
export function parseMailbox(text: string): Mailbox | null {
  const match = /^(?:"([^"\p{C}]*)"|([^"<>\p{C}]*))\s*<([^<>]*)>$/u.exec(text.trim());
  const name = (match?.[1] ?? match?.[2] ?? '').trim();
  const address = match === null ? text.trim() : (match[3] ?? '').trim();
  return isMailAddress(address) ? { name, address } : null;
}

/** What stands behind the @. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
