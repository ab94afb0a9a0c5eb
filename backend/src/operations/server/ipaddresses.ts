import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { macAddress } from '../../base/mac-address.ts';
import { readSubnet } from '../../base/subnet.ts';
import { isDelivered } from '../../business/servers/machine/compare.ts';
import { addressNames } from '../../business/servers/network/address-name.ts';
import { defaultName } from '../../business/servers/network/reverse-name.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';

const state = z.enum(['active', 'pending', 'null_routed']);

export default operation({
  method: 'GET',
  path: 'server/ipaddresses',
  summary: 'The addresses of a server',
  audience: 'customer',
  scope: 'server:read',
  input: z.strictObject({ uuid }),
  output: z.object({
    uuid,
    ipv4: z.array(
      z.object({
        uuid,
        ip_address: z.string(),
        prefix_length: z.int(),
        netmask: z.string(),
        ip_gateway: z.string(),
        mac_address: z.string(),
        ddos_protection: z.string(),
        rdns: z.string().describe('Empty: it has no name.'),
        primary: z.boolean(),
        state,
      }),
    ),
    ipv6: z.array(
      z.object({
        uuid,
        ip_address: z.string().describe('In prefix notation'),
        prefix_length: z.int(),
        ip_gateway: z.string(),
        mac_address: z.string(),
        primary: z.boolean(),
        rdns_entries: z.array(z.object({ ip_address: z.string(), rdns: z.string() })),
        state,
      }),
    ),
    total: z.int(),
  }),
  message: { en: 'These are the addresses.', de: 'Das sind die Adressen.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  async read(ctx, _input, found) {
    const names = await addressNames(ctx.db, found.id);
    const given = found.addresses ?? [];
    const host = ctx.catalog.hosts.get(found.host);
    const mac_address = macAddress(found.id);
    const shown = isDelivered(found) ? ('active' as const) : ('pending' as const);
    const ofFamily = (family: 4 | 6) => given.filter((address) => address.family === family);
    // The pool that it was given from, unless the catalogue has another by now.
    const pool = readSubnet(host?.networks.ipv4.cidr ?? '');
    const prefix = (address: string) =>
      pool !== null && readSubnet(`${address}/${pool.prefix}`)?.cidr === pool.cidr ? pool.prefix : 32;
    return {
      uuid: found.id,
      ipv4: ofFamily(4).map(({ id, address, gateway, rdns, null_routed }, index) => ({
        uuid: id,
        ip_address: address,
        prefix_length: prefix(address),
        netmask: readSubnet(`${address}/${prefix(address)}`)?.netmask ?? '',
        ip_gateway: gateway,
        mac_address,
        ddos_protection: host?.ddos_protection[0] ?? '',
        rdns: rdns ?? defaultName(ctx.catalog, found.host, address) ?? '',
        primary: index === 0,
        state: null_routed ? ('null_routed' as const) : shown,
      })),
      ipv6: ofFamily(6).map(({ id, address, gateway, null_routed }, index) => ({
        uuid: id,
        ip_address: address,
        prefix_length: readSubnet(address)?.prefix ?? 128,
        ip_gateway: gateway,
        mac_address,
        primary: index === 0,
        rdns_entries: names
          .filter(({ network }) => network === address)
          .map((named) => ({ ip_address: named.address, rdns: named.rdns })),
        state: null_routed ? ('null_routed' as const) : shown,
      })),
      total: given.length,
    };
  },
});
