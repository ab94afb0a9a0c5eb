import { isIPv6 } from 'node:net';

/**
 * One text for one address: IPv6 lower-case and compressed (RFC 5952), an IPv4 address that comes wrapped in
 * IPv6 (RFC 4291 §2.5.5.2) as IPv4. The argument must be an address.
 */
export function canonicalAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const compressed = compressedIpv6(address);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(compressed);
  if (mapped === null) return compressed;
  const high = Number.parseInt(mapped[1] ?? '', 16);
  const low = Number.parseInt(mapped[2] ?? '', 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** An IPv6 address without its zone, lower-case and compressed (RFC 5952), in hexadecimal to its end. */
export function compressedIpv6(address: string): string {
  return new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
}

/** What one customer's line has: an IPv4 address, or the /64 of an IPv6 one. */
export function networkOf(ip: string): string {
  const address = canonicalAddress(ip);
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** What one site may have of many lines' worth (RFC 6177): the /48 of an IPv6 address; null for IPv4. */
export function siteOf(ip: string): string | null {
  const address = canonicalAddress(ip);
  return isIPv6(address) ? `${groupsOf(address).slice(0, 3).join(':')}::/48` : null;
}

/** At least the groups before `::`, and zeros for it: the last ones may be missing. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? 0 : tail.split(':').length;
  while (groups.length + after < 8) groups.push('0');
  return groups;
}
