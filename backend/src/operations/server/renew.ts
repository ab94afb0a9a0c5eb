import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { quote } from '../../api/order.ts';
import { RENEWAL_ERRORS, renewalFields, renewedFields, renewOrRefuse } from '../../api/renewal.ts';
import { loadOrderState } from '../../business/selling/orders/order.ts';
import { announcedVersions } from '../../business/selling/subscriptions/renewal/renewal-price.ts';
import { workOn } from '../../business/servers/changes/change.ts';
import { serverLines, serverPricings } from '../../business/servers/price.ts';
import { RESIZE } from '../../business/servers/resize.ts';
import { pricedServer, server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'server/renew',
  summary: 'Renew a server',
  description:
    'Charges at once and extends from the end of the paid term, also while it runs on after that end; from now when ' +
    'the server had been switched off. It is switched on again, unless it is suspended for more than non-payment. ' +
    'Refused while its size is being changed.',
  audience: 'customer',
  scope: 'server:order',
  input: z.strictObject({ uuid, ...renewalFields }),
  output: z.union([z.object({ uuid, ...renewedFields }), z.object({ quote })]),
  message: { en: 'The server was renewed.', de: 'Der Server wurde verlängert.' },
  errors: ['not_found', 'resource_locked', ...RENEWAL_ERRORS],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', duration: 1 } },
  resource: server,
  async handle(tx, ctx, input, found) {
    const { accountId } = ctx.caller;
    // What a further term costs is known once the size is: of the smaller one the larger would be had for its price.
    const work = await workOn(tx, found);
    if (work?.type === RESIZE)
      throw ctx.refusal('resource_locked', { members: { task_uuid: work.id, task_type: work.type } });
    const orders = await loadOrderState(tx, ctx.catalogs, [
      { accountId, discountCode: input.discount_code, quoteId: input.quote_uuid },
    ]);
    const priced = pricedServer(found);
    const pack = orders.catalog.serverPackages.get(found.item);
    const result = renewOrRefuse(
      ctx,
      orders,
      {
        product: 'server',
        service: found,
        title: `Server ${found.name}, renewal`,
        announced: await announcedVersions(tx, ctx.catalogs, [found]),
        lines: serverLines(priced, { duration: input.duration, unit: input.duration_unit, renewal: true }),
        pricings: serverPricings(orders.catalog, priced),
        terms: pack?.durations ?? [],
      },
      input,
    );
    return result.kind === 'quoted' ? { quote: result.quote } : { uuid: found.id, ...result.answer };
  },
});
