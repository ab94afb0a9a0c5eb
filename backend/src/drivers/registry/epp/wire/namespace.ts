/** The XML namespaces of EPP that are spoken here, by the names that their RFCs use. */
export const NS = {
  /** RFC 5730. */
  epp: 'urn:ietf:params:xml:ns:epp-1.0',
  /** RFC 5731. */
  domain: 'urn:ietf:params:xml:ns:domain-1.0',
  /** RFC 5732. */
  host: 'urn:ietf:params:xml:ns:host-1.0',
  /** RFC 5733. */
  contact: 'urn:ietf:params:xml:ns:contact-1.0',
  /** RFC 3915. */
  rgp: 'urn:ietf:params:xml:ns:rgp-1.0',
  /** RFC 5910. */
  secDNS: 'urn:ietf:params:xml:ns:secDNS-1.1',
  /** RFC 8748. */
  fee: 'urn:ietf:params:xml:ns:epp:fee-1.0',
  /** RFC 8334. */
  launch: 'urn:ietf:params:xml:ns:launch-1.0',
  /** RFC 8807. */
  loginSec: 'urn:ietf:params:xml:ns:epp:loginSec-1.0',
  /** RFC 9038; only ever named in the lists of services. */
  unhandled: 'urn:ietf:params:xml:ns:epp:unhandled-namespaces-1.0',
} as const;

export type Vocabulary = keyof typeof NS;

const PREFIXES = new Map<string, string>(
  Object.entries(NS).map(([prefix, namespace]) => [namespace, prefix]),
);

/** The prefix of registries' own namespaces. */
const FOREIGN = 'own';

/** The prefix for elements of a namespace in what is written here; the empty one for EPP itself. */
export function prefixOf(namespace: string): string {
  const prefix = PREFIXES.get(namespace) ?? FOREIGN;
  return prefix === 'epp' ? '' : prefix;
}
