import { z } from 'zod';
import { currency, durationUnit, money, pricings } from '../../api/field.ts';
import { offsetOf, pageOf, pagination } from '../../api/page.ts';
import { display, pricesTax, shownPrices } from '../../api/shown-prices.ts';
import { viewerOf } from '../../business/core/accounts/viewer.ts';
import { hostsFor, loadFreeCapacity } from '../../business/webspaces/placement.ts';
import { operation } from '../../operation.ts';
import { limits, packageObject, wirePackage } from './webspace.schema.ts';

export default operation({
  method: 'GET',
  path: 'webspace/packages',
  summary: 'Webspace packages, their limits and their prices',
  audience: 'public',
  scope: null,
  input: z.strictObject({
    page: z.int().min(1).max(1000).default(1),
    per_page: z.int().min(1).max(100).default(25),
    display,
  }),
  output: z.object({
    packages: z.array(
      packageObject.extend({
        limits,
        pricings,
        setup: money,
        durations: z.array(z.object({ duration: z.int(), duration_unit: durationUnit, gross: money })),
        in_stock: z.boolean(),
      }),
    ),
    currency,
    tax_included: z.boolean(),
    tax: pricesTax,
    pagination,
  }),
  message: { en: 'These packages are sold.', de: 'Diese Pakete werden verkauft.' },
  errors: [],
  example: { input: {} },
  async read(ctx, input) {
    const { content } = ctx.catalog;
    const [viewer, hasCapacity] = await Promise.all([viewerOf(ctx.db, ctx.caller), loadFreeCapacity(ctx.db)]);
    const shown = shownPrices(input.display, ctx.catalog, viewer, ctx.now);
    const sold = content.webspace_packages.filter((pack) => pack.sold);
    const first = offsetOf(input);
    return {
      packages: sold.slice(first, first + input.per_page).map((pack) => ({
        ...wirePackage(ctx.catalog, pack.uuid),
        limits: pack.limits,
        pricings: shown.pricings(pack.pricings),
        setup: shown.price(pack.setup),
        durations: pack.durations.map((term) => ({
          ...term,
          gross: shown.price(pack.pricings[term.duration_unit] * BigInt(term.duration)),
        })),
        in_stock: hasCapacity(hostsFor(ctx.catalog, pack, null), pack.limits.disk),
      })),
      currency: content.currency,
      tax_included: shown.taxIncluded,
      tax: shown.tax,
      pagination: pageOf(input, sold.length),
    };
  },
});
