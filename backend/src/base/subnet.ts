import { isIPv6 } from 'node:net';
import { canonicalAddress, compressedIpv6 } from './ip.ts';
import { type Address, BITS, readAddress, writeAddress } from './network.ts';

/** A network and one address in it. Texts are canonical (RFC 5952), counts exact. */
export interface Subnet {
  readonly address: string;
  readonly family: 4 | 6;
  readonly prefix: number;
  readonly cidr: string;
  readonly network: string;
  /** IPv4 only. */
  readonly netmask: string | null;
  /** null where there is none: for IPv6, and for one or two addresses (RFC 3021). */
  readonly broadcast: string | null;
  readonly firstHost: string;
  readonly lastHost: string;
  readonly total: bigint;
  readonly usable: bigint;
  /** The longest customary zone that its PTR records are in: whole octets up to a /24, nibbles up to a /64. */
  readonly reverseZone: string;
}

/** How finely reverse zones are cut, and how long they usually get. */
const ZONES = {
  4: { width: 8, longest: 24, suffix: 'in-addr.arpa' },
  6: { width: 4, longest: 64, suffix: 'ip6.arpa' },
} as const;

/** Reads an address, or one with a prefix length whose host bits may be set; null if it is neither. */
export function readSubnet(text: string): Subnet | null {
  const [written = '', length, ...more] = text.split('/');
  // An IPv4 address in IPv6's clothes is IPv4 by itself, but the length of a prefix counts IPv6's bits.
  const canonical =
    length !== undefined && isIPv6(written) ? compressedIpv6(written) : canonicalAddress(written);
  const address = readAddress(canonical);
  if (address === null || more.length > 0 || written.includes('%')) return null;
  const bits = BITS[address.family];
  if (length !== undefined && !/^(0|[1-9][0-9]{0,2})$/.test(length)) return null;
  const prefix = length === undefined ? bits : Number(length);
  return prefix > bits ? null : subnet(address, canonical, prefix);
}

/** The name that an address's PTR record has. */
export function reverseName({ family, value }: Address): string {
  const { width, suffix } = ZONES[family];
  const labels: string[] = [];
  for (let at = 0n; at < BITS[family]; at += BigInt(width)) {
    labels.push(((value >> at) & ((1n << BigInt(width)) - 1n)).toString(family === 4 ? 10 : 16));
  }
  return `${labels.join('.')}.${suffix}`;
}

function subnet(address: Address, text: string, prefix: number): Subnet {
  const { family, value } = address;
  const bits = BITS[family];
  const total = 1n << BigInt(bits - prefix);
  const first = value - (value % total);
  const last = first + total - 1n;
  const written = (at: bigint) => writeAddress({ family, value: at });
  // The first of an IPv6 network is any router's (RFC 4291 §2.6.1), but not between two (RFC 6164).
  const hasEdges = bits - prefix > 1;
  const hasBroadcast = hasEdges && family === 4;
  return {
    address: text,
    family,
    prefix,
    cidr: `${written(first)}/${prefix}`,
    network: written(first),
    netmask: family === 4 ? written((1n << 32n) - total) : null,
    broadcast: hasBroadcast ? written(last) : null,
    firstHost: written(hasEdges ? first + 1n : first),
    lastHost: written(hasBroadcast ? last - 1n : last),
    total,
    usable: total - (hasEdges ? 1n : 0n) - (hasBroadcast ? 1n : 0n),
    reverseZone: zoneOf({ family, value: first }, prefix),
  };
}

function zoneOf(first: Address, prefix: number): string {
  const { width, longest, suffix } = ZONES[first.family];
  const kept = Math.floor(Math.min(prefix, longest) / width);
  const labels = reverseName(first).split('.').slice(0, -2);
  return [...labels.slice(labels.length - kept), suffix].join('.');
}
