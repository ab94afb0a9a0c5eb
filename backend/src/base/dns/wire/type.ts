/** Numbers of record types (IANA, "Resource Record (RR) TYPEs") that records and answers here may have. */
export const TYPE_NUMBERS = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  TLSA: 52,
  SMIMEA: 53,
  CDS: 59,
  CDNSKEY: 60,
  SVCB: 64,
  HTTPS: 65,
  URI: 256,
  CAA: 257,
} as const;

const NUMBERS: ReadonlyMap<string, number> = new Map(Object.entries(TYPE_NUMBERS));

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(TYPE_NUMBERS).map(([name, number]) => [number, name]),
);

/** The name of a type by its number; of one that is not known here, RFC 3597's `TYPE65300`. */
export function typeName(number: number): string {
  return NAMES.get(number) ?? `TYPE${number}`;
}

/** The number of a type by its name, or by RFC 3597's `TYPE65300`; null: there is none. */
export function typeNumber(name: string): number | null {
  const known = NUMBERS.get(name);
  if (known !== undefined) return known;
  const number = Number(/^TYPE([0-9]{1,5})$/.exec(name)?.[1]);
  return number >= 1 && number <= 0xffff ? number : null;
}
