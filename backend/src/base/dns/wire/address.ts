import { isIPv4, isIPv6 } from 'node:net';
import { canonicalAddress } from '../../ip.ts';

/** The four octets of an IPv4 address. */
export function encodeIpv4(text: string): Buffer {
  if (!isIPv4(text)) throw new RangeError(`${text} is no IPv4 address`);
  return Buffer.from(text.split('.').map(Number));
}

/** The sixteen octets of an IPv6 address. */
export function encodeIpv6(text: string): Buffer {
  if (!isIPv6(text) || text.includes('%')) throw new RangeError(`${text} is no IPv6 address`);
  const hexadecimal = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = hexadecimal.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = tail.split(':').filter((group) => group !== '');
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const groups = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

export function ipv4Text(octets: Buffer): string {
  return octets.join('.');
}

/** As RFC 5952 writes it; an IPv4 address that is wrapped in IPv6 stays IPv6. */
export function ipv6Text(octets: Buffer): string {
  const groups = octets.toString('hex').match(/.{4}/g) ?? [];
  const address = groups.join(':');
  const text = canonicalAddress(address);
  return text.includes(':') ? text : `::ffff:${text}`;
}
