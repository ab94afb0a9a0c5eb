import { isIP, isIPv6 } from 'node:net';

/** Whether a text names a DNS server as Node's resolver takes it: an IP address, with or without a port. */
export function isResolverAddress(text: string): boolean {
  if (isIP(text) !== 0) return !text.includes('%');
  const [, bracketed, plain, port] = /^(?:\[([^\]%]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const isAddress = bracketed === undefined ? isIP(plain ?? '') === 4 : isIPv6(bracketed);
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}
