/** What registries speak that do not keep to RFC 5730 to 5733, and which of the suffixes below theirs are theirs, too. */
const OTHERS: readonly { readonly of: string; readonly below: boolean; readonly speaks: string }[] = [
  { of: 'de', below: false, speaks: 'DENIC’s RRI' },
  { of: 'uk', below: true, speaks: 'EPP with Nominet’s tags in place of transfers and contacts of its own' },
  { of: 'cz', below: false, speaks: 'EPP with the objects of FRED (http://www.nic.cz/xml/epp/domain-1.4)' },
  { of: 'pl', below: true, speaks: 'EPP in NASK’s namespaces (http://www.dns.pl/nask-epp-schema/epp-2.1)' },
  ...['ru', 'su', 'xn--p1ai'].map((of) => ({
    of,
    below: false,
    speaks: 'EPP in namespaces of its own (http://www.ripn.net/epp/ripn-epp-1.0)',
  })),
  { of: 'ua', below: true, speaks: 'EPP in namespaces of its own (http://hostmaster.ua/epp/domain-1.1)' },
];

/** What the registry of a TLD is known to speak in place of plain EPP; null: nothing else is known. */
export function ownProtocolOf(tld: string): string | null {
  const known = OTHERS.find(({ of, below }) => tld === of || (below && tld.endsWith(`.${of}`)));
  return known?.speaks ?? null;
}
