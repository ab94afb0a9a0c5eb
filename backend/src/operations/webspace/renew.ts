import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { quote } from '../../api/order.ts';
import { RENEWAL_ERRORS, renewalFields, renewedFields, renewOrRefuse } from '../../api/renewal.ts';
import { loadOrderState } from '../../business/selling/orders/order.ts';
import { announcedVersions } from '../../business/selling/subscriptions/renewal/renewal-price.ts';
import { webspaceLines, webspacePricings } from '../../business/webspaces/price.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'webspace/renew',
  summary: 'Renew a webspace',
  description:
    'Charges at once and extends from the end of the paid term, also while it runs on after that end; from now when ' +
    'the webspace had been switched off. It is on again then, unless it is suspended for more than non-payment.',
  audience: 'customer',
  scope: 'webspace:order',
  input: z.strictObject({
    uuid,
    ...renewalFields,
    duration_unit: z.enum(['month', 'year']).default('month'),
  }),
  output: z.union([z.object({ uuid, ...renewedFields }), z.object({ quote })]),
  message: { en: 'The webspace was renewed.', de: 'Der Webspace wurde verlängert.' },
  errors: ['not_found', ...RENEWAL_ERRORS],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', duration: 1 } },
  resource: webspace,
  async handle(tx, ctx, input, found) {
    const { accountId } = ctx.caller;
    const orders = await loadOrderState(tx, ctx.catalogs, [
      { accountId, discountCode: input.discount_code, quoteId: input.quote_uuid },
    ]);
    const term = { duration: input.duration, unit: input.duration_unit, renewal: true };
    const result = renewOrRefuse(
      ctx,
      orders,
      {
        product: 'webspace',
        service: found,
        title: `Webspace ${found.name}, renewal`,
        announced: await announcedVersions(tx, ctx.catalogs, [found]),
        lines: webspaceLines(found.item, term),
        pricings: webspacePricings(orders.catalog, found.item),
        terms: orders.catalog.webspacePackages.get(found.item)?.durations ?? [],
      },
      input,
    );
    return result.kind === 'quoted' ? { quote: result.quote } : { uuid: found.id, ...result.answer };
  },
});
