const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const MOST_OCTETS = 253;

/**
 * Whether a text is a fully qualified host name as RFC 1123 §2.1 has them: at least two labels of letters,
 * digits and hyphens, none beginning or ending with a hyphen, the last not a number (it would be an IPv4
 * address). Without the root's dot; either case.
 */
export function isHostname(text: string): boolean {
  if (text.length > MOST_OCTETS) return false;
  const labels = text.split('.');
  if (labels.length < 2 || /^[0-9]+$/.test(labels.at(-1) ?? '')) return false;
  return labels.every((label) => LABEL.test(label));
}
