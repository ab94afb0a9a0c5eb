/**
 * Names that the public DNS has no answer for, or none that is meant for everybody: IANA's special-use names
 * (RFC 6761) less the examples, which are in the DNS; what ICANN keeps for networks of one's own; and the TLDs
 * that such networks took and that are never delegated for it.
 */
const SPECIAL = new Set(
  (
    'alt corp home internal intranet invalid lan local localdomain localhost mail onion private test ' +
    'home.arpa eap-noob.arpa eap.arpa ipv4only.arpa resolver.arpa service.arpa 6tisch.arpa'
  ).split(' '),
);

/** Whether a name (ASCII, lower case) is for one network only; so is every name of a single label. */
export function isSpecialUseName(name: string): boolean {
  const labels = name.split('.');
  return labels.length < 2 || SPECIAL.has(labels.at(-1) ?? '') || SPECIAL.has(labels.slice(-2).join('.'));
}
