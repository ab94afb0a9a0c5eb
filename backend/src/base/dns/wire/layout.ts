/**
 * One field of RDATA. Those in the second line take the rest: `strings` are one or more texts of up to 255 octets,
 * `text` is one quoted text without a length of its own, `hex` and `base64` may be split by spaces.
 */
export type Field =
  | 'u8'
  | 'u16'
  | 'u32'
  | 'ipv4'
  | 'ipv6'
  | 'name'
  | 'word'
  | 'string'
  | 'strings'
  | 'text'
  | 'hex'
  | 'base64'
  | 'params';

const LAYOUTS: Readonly<Record<string, readonly Field[]>> = {
  A: ['ipv4'],
  AAAA: ['ipv6'],
  CAA: ['u8', 'word', 'text'],
  CDNSKEY: ['u16', 'u8', 'u8', 'base64'],
  CDS: ['u16', 'u8', 'u8', 'hex'],
  CNAME: ['name'],
  DNSKEY: ['u16', 'u8', 'u8', 'base64'],
  DS: ['u16', 'u8', 'u8', 'hex'],
  HINFO: ['string', 'string'],
  HTTPS: ['u16', 'name', 'params'],
  MX: ['u16', 'name'],
  NAPTR: ['u16', 'u16', 'string', 'string', 'string', 'name'],
  NS: ['name'],
  PTR: ['name'],
  SMIMEA: ['u8', 'u8', 'u8', 'hex'],
  SOA: ['name', 'name', 'u32', 'u32', 'u32', 'u32', 'u32'],
  SRV: ['u16', 'u16', 'u16', 'name'],
  SSHFP: ['u8', 'u8', 'hex'],
  SVCB: ['u16', 'name', 'params'],
  TLSA: ['u8', 'u8', 'u8', 'hex'],
  TXT: ['strings'],
  URI: ['u16', 'u16', 'text'],
};

/** The fields of a type's RDATA, in order; undefined for a type that only RFC 3597's form can write. */
export function layoutOf(type: string): readonly Field[] | undefined {
  return Object.hasOwn(LAYOUTS, type) ? LAYOUTS[type] : undefined;
}
