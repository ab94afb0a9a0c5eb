import { getDomain, getPublicSuffix } from 'tldts';

/** A name seen from the suffix that names are registered under. All in ASCII. */
export type DomainSplit =
  /** A single label: there is no TLD. */
  | { readonly kind: 'bare'; readonly label: string }
  /** The registrable name is `label.tld`; labels further left, such as `www`, are left out. */
  | { readonly kind: 'registrable'; readonly label: string; readonly tld: string }
  /** Names like this are registered under a suffix that is not among the known ones. */
  | { readonly kind: 'unknown_tld'; readonly tld: string };

const PUBLIC_SUFFIX_LIST = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};

/**
 * Finds what can be registered in a name. The longest known suffix decides, before the public suffix list. The
 * list is asked only where it may tell more: what the suffix of a name without a known one is, and whether a
 * name with further labels lies under a longer suffix that others register names under. `example.ac.uk` is
 * then no wish for `ac.uk`.
 */
export function splitDomain(
  labels: readonly string[],
  isKnownSuffix: (suffix: string) => boolean,
): DomainSplit {
  const [first = ''] = labels;
  if (labels.length < 2) return { kind: 'bare', label: first };
  const at = longestSuffix(labels, isKnownSuffix);
  if (at === 1) return { kind: 'registrable', label: first, tld: labels.slice(1).join('.') };
  const publicAt = labels.length - publicSuffixLength(labels);
  if (at === null || publicAt < at) return { kind: 'unknown_tld', tld: labels.slice(publicAt).join('.') };
  return { kind: 'registrable', label: labels[at - 1] ?? '', tld: labels.slice(at).join('.') };
}

/** Where the longest known suffix that leaves a label begins. */
function longestSuffix(labels: readonly string[], isKnown: (suffix: string) => boolean): number | null {
  for (let at = 1; at < labels.length; at++) {
    if (isKnown(labels.slice(at).join('.'))) return at;
  }
  return null;
}

/** How many labels the public suffix has: at least one, and fewer than the name. */
function publicSuffixLength(labels: readonly string[]): number {
  const suffix = getPublicSuffix(labels.join('.'), PUBLIC_SUFFIX_LIST);
  const length = suffix === null ? 1 : suffix.split('.').length;
  return Math.min(length, labels.length - 1);
}

/**
 * The part of a name (ASCII) that is registered with a registry of its TLD; null for a TLD or a suffix itself.
 * `allowPrivate`: suffixes of companies, such as `github.io`, count as suffixes too.
 */
export function registrableName(name: string, { allowPrivate = false } = {}): string | null {
  return getDomain(name, { ...PUBLIC_SUFFIX_LIST, allowPrivateDomains: allowPrivate });
}
