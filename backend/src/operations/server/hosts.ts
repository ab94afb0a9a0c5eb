import { z } from 'zod';
import { currency, pricings } from '../../api/field.ts';
import { wirePricings } from '../../api/order.ts';
import type { Host } from '../../business/core/catalog/schema/host.ts';
import type { Pricings } from '../../business/core/catalog/schema/price.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import { capacityOf, loadFreeCapacity } from '../../business/servers/capacity/capacity.ts';
import { smallestConfiguration } from '../../business/servers/configuration.ts';
import { serverPricings } from '../../business/servers/price.ts';
import { operation } from '../../operation.ts';

const range = z.object({ min: z.int(), max: z.int(), step: z.int() });

export default operation({
  method: 'GET',
  path: 'server/hosts',
  summary: 'Where servers can be ordered, and how large',
  audience: 'public',
  scope: null,
  input: z.strictObject({
    country: z.string().length(2).optional().describe('ISO 3166-1 alpha-2'),
    datacenter: z.string().max(63).optional(),
    in_stock: z.boolean().optional(),
  }),
  output: z.object({
    hosts: z.array(
      z.object({
        name: z.string().describe('What `server/order` takes as `host`.'),
        displayname: z.string(),
        datacenter: z.object({
          name: z.string(),
          displayname: z.string(),
          country: z.string(),
          city: z.string(),
        }),
        hardware: z.object({ processor: z.string(), memory: z.string(), disk: z.string() }),
        configuration: z.object({
          cores: range,
          memory: range.describe('MiB'),
          disk: range.describe('GiB'),
          uplink: range.describe('Mbit/s'),
          ipv4: range,
          backup_slots: range,
        }),
        ddos_protection: z.array(z.string()),
        in_stock: z.boolean(),
        capacity: z.enum(['high', 'medium', 'low', 'none']),
        pricings_from: pricings,
      }),
    ),
    currency,
    total: z.int(),
  }),
  message: { en: 'Servers can be ordered here.', de: 'Hier gibt es Server.' },
  errors: [],
  example: { input: {} },
  async read(ctx, input) {
    const { content, datacenters } = ctx.catalog;
    const rooms = await loadFreeCapacity(ctx.db);
    const hosts = content.hosts.flatMap((host) => {
      const datacenter = datacenters.get(host.datacenter);
      if (datacenter === undefined || !host.sold) return [];
      if (input.country !== undefined && datacenter.country !== input.country.toUpperCase()) return [];
      if (input.datacenter !== undefined && datacenter.name !== input.datacenter) return [];
      const capacity = capacityOf(rooms.get(host.name), host);
      const inStock = capacity !== 'none';
      if (input.in_stock !== undefined && inStock !== input.in_stock) return [];
      return [
        {
          name: host.name,
          displayname: host.displayname,
          datacenter,
          hardware: host.hardware,
          configuration: host.configuration,
          ddos_protection: host.ddos_protection,
          in_stock: inStock,
          capacity,
          pricings_from: wirePricings(cheapest(ctx.catalog, host)),
        },
      ];
    });
    return { hosts, currency: content.currency, total: hosts.length };
  },
});

/** The prices of whatever costs least a month there: a package, or the smallest configuration of one's own. */
function cheapest(catalog: CatalogVersion, host: Host): Pricings {
  const configuration = smallestConfiguration(host);
  const custom = serverPricings(catalog, { host: host.name, packageUuid: null, configuration, os: null });
  return catalog.content.server_packages
    .filter((pack) => pack.sold && pack.host === host.name)
    .reduce((least, { pricings }) => (pricings.month < least.month ? pricings : least), custom);
}
