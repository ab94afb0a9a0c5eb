import { z } from 'zod';
import { contains, type Network, readAddress, readNetwork } from '../../../../base/network.ts';

const LINK_LOCAL = readNetwork('fe80::/10');

const reverse = {
  /** The zone that holds the pool's PTR records (RFC 2317 for parts of a /24); null: no reverse DNS is offered. */
  reverse_zone: z
    .string()
    .regex(/^[a-z0-9/-]+(\.[a-z0-9/-]+)*\.(in-addr|ip6)\.arpa$/, 'must end in .in-addr.arpa or .ip6.arpa')
    .nullable()
    .default(null),
  /** The host name of an address nobody named, `{address}` being the address with hyphens. */
  name_template: z
    .string()
    .regex(
      /^[a-z0-9-]*\{address\}[a-z0-9-]*(\.[a-z0-9-]+)+$/,
      'must be a host name with {address} in its first label',
    )
    .nullable()
    .default(null),
};
const both = (pool: { reverse_zone: string | null; name_template: string | null }) =>
  (pool.reverse_zone === null) === (pool.name_template === null);
const BOTH = { path: ['name_template'], error: 'goes with reverse_zone: both or neither' };

/** The pool that servers get one or more IPv4 addresses from. */
export const Ipv4Pool = z
  .strictObject({ cidr: z.string(), gateway: z.string(), ...reverse })
  .refine(both, BOTH)
  .superRefine((pool, ctx) => {
    const network = readNetwork(pool.cidr);
    const gateway = readAddress(pool.gateway);
    if (network?.family !== 4 || network.prefix > 30) {
      ctx.addIssue({
        code: 'custom',
        path: ['cidr'],
        message: 'must be an IPv4 network such as 192.0.2.0/24',
      });
    } else if (gateway === null || !contains(network, gateway)) {
      ctx.addIssue({ code: 'custom', path: ['gateway'], message: `must be an address in ${pool.cidr}` });
    } else if (gateway.value === network.first || gateway.value === network.last) {
      ctx.addIssue({
        code: 'custom',
        path: ['gateway'],
        message: `is the first or the last address of ${pool.cidr}`,
      });
    }
  });
export type Ipv4Pool = z.output<typeof Ipv4Pool>;

/** The pool that every server gets one network of `prefix_length` from. */
export const Ipv6Pool = z
  .strictObject({
    cidr: z.string(),
    gateway: z.string(),
    prefix_length: z.int().min(48).max(64).default(64),
    ...reverse,
  })
  .refine(both, BOTH)
  .superRefine((pool, ctx) => {
    const network = readNetwork(pool.cidr);
    if (network?.family !== 6) {
      ctx.addIssue({
        code: 'custom',
        path: ['cidr'],
        message: 'must be an IPv6 network such as 2001:db8::/48',
      });
    } else if (network.prefix > pool.prefix_length) {
      ctx.addIssue({
        code: 'custom',
        path: ['prefix_length'],
        message: `is larger than the whole of ${pool.cidr}`,
      });
    } else if (!isIpv6Gateway(pool.gateway, network)) {
      const message = `must be an address in ${pool.cidr} or a link-local one such as fe80::1`;
      ctx.addIssue({ code: 'custom', path: ['gateway'], message });
    }
  });
export type Ipv6Pool = z.output<typeof Ipv6Pool>;

function isIpv6Gateway(text: string, network: Network): boolean {
  const address = readAddress(text);
  if (address === null) return false;
  return contains(network, address) || (LINK_LOCAL !== null && contains(LINK_LOCAL, address));
}
