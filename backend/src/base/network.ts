import { isIPv4 } from 'node:net';

export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** All addresses of a network in prefix notation, its first and last included. */
export interface Network {
  readonly family: 4 | 6;
  readonly prefix: number;
  readonly first: bigint;
  readonly last: bigint;
}

export const BITS = { 4: 32, 6: 128 } as const;

/** Reads an IPv4 address, or an IPv6 address in hexadecimal groups without a zone; null if it is neither. */
export function readAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 4, value: join(text.split('.').map(Number), 8n) };
  return readIpv6(text);
}

function readIpv6(text: string): Address | null {
  const [head = [], tail, ...more] = text.split('::').map(groups);
  const gap = tail === undefined ? 0 : 8 - head.length - tail.length;
  if (more.length > 0 || gap < 0 || (tail !== undefined && gap === 0)) return null;
  const all = [...head, ...new Array<number>(gap).fill(0), ...(tail ?? [])];
  return all.length === 8 && !all.includes(Number.NaN) ? { family: 6, value: join(all, 16n) } : null;
}

/** An address as text, compressed (RFC 5952). */
export function writeAddress({ family, value }: Address): string {
  const [count, width] = family === 4 ? [4, 8n] : [8, 16n];
  const groups = new Array<bigint>(count);
  for (let at = count - 1, rest = value; at >= 0; at -= 1, rest >>= width) {
    groups[at] = rest & ((1n << width) - 1n);
  }
  if (family === 4) return groups.join('.');
  return new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1);
}

/** The fewest networks that are all addresses from one to another, in order; the first must not be the greater. */
export function networksBetween(first: Address, last: Address): readonly Network[] {
  const { family } = first;
  const bits = BITS[family];
  const networks: Network[] = [];
  for (let at = first.value; at <= last.value; ) {
    let size = 1n;
    while (size < 1n << BigInt(bits) && at % (size * 2n) === 0n && at + size * 2n - 1n <= last.value)
      size *= 2n;
    const prefix = bits - (size.toString(2).length - 1);
    networks.push({ family, prefix, first: at, last: at + size - 1n });
    at += size;
  }
  return networks;
}

/** Reads a network whose host bits are zero (RFC 4632, RFC 4291); null if it is none. */
export function readNetwork(cidr: string): Network | null {
  const parts = /^([^/]+)\/(0|[1-9][0-9]{0,2})$/.exec(cidr);
  const address = readAddress(parts?.[1] ?? '');
  const prefix = Number(parts?.[2]);
  if (address === null || prefix > BITS[address.family]) return null;
  const size = 1n << BigInt(BITS[address.family] - prefix);
  if (address.value % size !== 0n) return null;
  return { family: address.family, prefix, first: address.value, last: address.value + size - 1n };
}

export function contains(network: Network, address: Address): boolean {
  return address.family === network.family && address.value >= network.first && address.value <= network.last;
}

export function overlap(a: Network, b: Network): boolean {
  return a.family === b.family && a.first <= b.last && b.first <= a.last;
}

function groups(text: string): number[] {
  if (text === '') return [];
  return text
    .split(':')
    .map((group) => (/^[0-9a-fA-F]{1,4}$/.test(group) ? Number.parseInt(group, 16) : Number.NaN));
}

function join(digits: number[], width: bigint): bigint {
  return digits.reduce((value, digit) => (value << width) | BigInt(digit), 0n);
}
