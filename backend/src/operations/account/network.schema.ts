import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

/** An IPv4 or IPv6 address, or a network in CIDR notation. Host bits of a network are ignored. */
export const network = z
  .string()
  .max(49)
  .refine(isNetwork, 'This must be an address or a network such as 192.0.2.0/24.');

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  if (prefix === undefined) return true;
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > (family === 6 ? 128 : 32)) return false;
  // What will be asked must be able to hold it.
  new BlockList().addSubnet(address, Number(prefix), family === 6 ? 'ipv6' : 'ipv4');
  return true;
}
