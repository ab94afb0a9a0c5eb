import { z } from 'zod';
import { currency, money, pricings, timestamp, uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { display, pricesTax, shownPrices } from '../../api/shown-prices.ts';
import { wireTime } from '../../base/time.ts';
import { viewerOf } from '../../business/core/accounts/viewer.ts';
import { hasCapacity, loadFreeCapacity } from '../../business/servers/capacity/capacity.ts';
import { packageConfiguration } from '../../business/servers/configuration.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'server/prices',
  summary: 'Prices of servers: packages, and units of configurations of your own',
  audience: 'public',
  scope: null,
  input: z.strictObject({
    host: z.string().max(63).optional(),
    currency: z.string().length(3).optional().describe('There is one; another is refused.'),
    display,
  }),
  output: z.object({
    currency,
    tax_included: z.boolean(),
    tax_rate: z.number(),
    tax: pricesTax,
    units: z.array(
      z.object({
        host: z.string(),
        cores: pricings,
        memory_gib: pricings,
        disk_gib: pricings,
        uplink_100mbit: pricings,
        ipv4: pricings,
        backup_slot: pricings,
      }),
    ),
    packages: z.array(
      z.object({
        pack_uuid: uuid,
        name: z.string(),
        host: z.string(),
        cores: z.int(),
        memory: z.int().describe('MiB'),
        disk: z.int().describe('GiB'),
        uplink: z.int().describe('Mbit/s'),
        pricings,
        setup: money,
        in_stock: z.boolean(),
      }),
    ),
    duration_discounts: z.array(
      z.object({ duration: z.int(), duration_unit: z.enum(['month', 'year']), percent: z.number() }),
    ),
    price_version: z.int(),
    updated_at: timestamp,
  }),
  message: { en: 'These are the prices of servers.', de: 'Das sind die Preise der Server.' },
  errors: ['validation_failed'],
  example: { input: {} },
  async read(ctx, input) {
    const { content, hosts, version } = ctx.catalog;
    if (input.currency !== undefined && input.currency !== content.currency) {
      throw ctx.refusal(
        'validation_failed',
        fieldProblem('/currency', 'not_allowed', 'Nothing is sold in this currency.', {
          allowed: [content.currency],
        }),
      );
    }
    const [rooms, viewer, { created_at: updatedAt }] = await Promise.all([
      loadFreeCapacity(ctx.db),
      viewerOf(ctx.db, ctx.caller),
      ctx.db.kysely
        .selectFrom('catalog_versions')
        .select('created_at')
        .where('version', '=', version)
        .executeTakeFirstOrThrow(),
    ]);
    const shown = shownPrices(input.display, ctx.catalog, viewer, ctx.now);
    const listed = (name: string) =>
      hosts.get(name)?.sold === true && (input.host === undefined || name === input.host);
    return {
      currency: content.currency,
      tax_included: shown.taxIncluded,
      tax_rate: shown.tax.home_rate,
      tax: shown.tax,
      units: content.hosts
        .filter((host) => listed(host.name))
        .map(({ name, unit_pricings: units }) => ({
          host: name,
          cores: shown.unitPricings(units.cores),
          memory_gib: shown.unitPricings(units.memory_gib),
          disk_gib: shown.unitPricings(units.disk_gib),
          uplink_100mbit: shown.unitPricings(units.uplink_100mbit),
          ipv4: shown.unitPricings(units.ipv4),
          backup_slot: shown.unitPricings(units.backup_slot),
        })),
      packages: content.server_packages
        .filter((pack) => pack.sold && listed(pack.host))
        .map((pack) => {
          const host = hosts.get(pack.host);
          const size = host === undefined ? null : packageConfiguration(pack, host);
          return {
            pack_uuid: pack.uuid,
            name: pack.name,
            host: pack.host,
            cores: pack.cores,
            memory: pack.memory,
            disk: pack.disk,
            uplink: pack.uplink,
            pricings: shown.pricings(pack.pricings),
            setup: shown.price(pack.setup),
            in_stock: size !== null && hasCapacity(rooms.get(pack.host), size),
          };
        }),
      duration_discounts: content.duration_discounts.map((discount) => ({
        ...discount,
        percent: discount.percent / 100,
      })),
      price_version: version,
      updated_at: wireTime(updatedAt),
    };
  },
});
