import { isIPv6 } from 'node:net';

/**
 * One text for one address: IPv6 lower-case and compressed (RFC 5952), an IPv4 address that comes wrapped in
 * IPv6 (RFC 4291 §2.5.5.2) as IPv4. The argument must be an address.
 */
export function canonicalAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const compressed = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(compressed);
  if (mapped === null) return compressed;
  const high = Number.parseInt(mapped[1] ?? '', 16);
  const low = Number.parseInt(mapped[2] ?? '', 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** What one customer's line has: an IPv4 address, or the /64 of an IPv6 one. */
export function networkOf(ip: string): string {
  const address = canonicalAddress(ip);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? 0 : tail.split(':').length;
  while (groups.length + after < 8) groups.push('0');
  return `${groups.slice(0, 4).join(':')}::/64`;
}
