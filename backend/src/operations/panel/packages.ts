import { z } from 'zod';
import { currency, durationUnit, money, pricings, uuid } from '../../api/field.ts';
import { offsetOf, pageOf, pagination } from '../../api/page.ts';
import { display, pricesTax, shownPrices } from '../../api/shown-prices.ts';
import { viewerOf } from '../../business/core/accounts/viewer.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'panel/packages',
  summary: 'License packages and their prices',
  audience: 'public',
  scope: null,
  input: z.strictObject({
    page: z.int().min(1).max(1000).default(1),
    per_page: z.int().min(1).max(100).default(25),
    display,
  }),
  output: z.object({
    packages: z.array(
      z.object({
        id: z.int(),
        uuid,
        name: z.string(),
        description: z.string(),
        ip_limit: z.int(),
        info: z.object({ features: z.array(z.string()) }),
        pricings,
        durations: z.array(z.object({ duration: z.int(), duration_unit: durationUnit, gross: money })),
        trial_days: z.int(),
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
    const viewer = await viewerOf(ctx.db, ctx.caller);
    const shown = shownPrices(input.display, ctx.catalog, viewer, ctx.now);
    const sold = content.license_packages.filter((pack) => pack.sold);
    const first = offsetOf(input);
    return {
      packages: sold.slice(first, first + input.per_page).map((pack) => ({
        id: pack.id,
        uuid: pack.uuid,
        name: pack.name,
        description: pack.description,
        ip_limit: pack.ip_limit,
        info: { features: pack.features },
        pricings: shown.pricings(pack.pricings),
        durations: pack.durations.map((term) => ({
          ...term,
          gross: shown.price(pack.pricings[term.duration_unit] * BigInt(term.duration)),
        })),
        trial_days: pack.trial_days,
        in_stock: true,
      })),
      currency: content.currency,
      tax_included: shown.taxIncluded,
      tax: shown.tax,
      pagination: pageOf(input, sold.length),
    };
  },
});
