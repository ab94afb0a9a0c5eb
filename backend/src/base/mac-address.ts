import { createHash } from 'node:crypto';

/**
 * The address of a server's network card: the same on every hypervisor and after each reinstall, so that it can be shown
 * and filtered without being asked for. Locally administered (IEEE 802c, "administratively assigned").
 */
export function macAddress(serverId: string): string {
  const digest = createHash('sha256').update(`mac ${serverId}`).digest('hex').slice(0, 10);
  return `02:${digest.replace(/(..)(?=.)/g, '$1:')}`;
}

/** The link-local address that a card makes of its own (RFC 4291, appendix A). */
export function linkLocalAddress(mac: string): string {
  const [first = 0, second = 0, third = 0, ...rest] = mac
    .split(':')
    .map((octet) => Number.parseInt(octet, 16));
  const octets = [first ^ 2, second, third, 0xff, 0xfe, ...rest];
  const groups = [0, 2, 4, 6].map((at) => (((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0)).toString(16));
  return `fe80::${groups.join(':')}`;
}
