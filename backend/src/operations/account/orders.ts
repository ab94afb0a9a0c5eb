import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { orderState, pastOrder, wirePastOrder } from '../../api/past-order.ts';
import { productType } from '../../api/product.ts';
import { listOrders } from '../../business/selling/orders/history.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'account/orders',
  summary: 'Your orders and renewals',
  audience: 'customer',
  scope: 'account:read',
  respectsAllowlist: true,
  input: z.strictObject({
    ...paging(['created_at']),
    state: orderState.optional(),
    product: productType.optional(),
    resource_uuid: uuid.optional().describe('Only orders of this server, domain, webspace or license.'),
  }),
  output: z.object({ orders: z.array(pastOrder), pagination }),
  message: { en: 'These are your orders.', de: 'Das sind Ihre Bestellungen.' },
  errors: ['validation_failed'],
  example: { input: { state: 'completed' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { orders, total } = await listOrders(
      ctx.db,
      {
        accountId: ctx.caller.accountId,
        state: input.state ?? null,
        product: input.product ?? null,
        serviceId: input.resource_uuid ?? null,
        description: input.search === undefined ? null : containing(input.search),
        services: ctx.caller.resourceAllowlist,
      },
      { order: input.order, limit: input.per_page, offset: offsetOf(input) },
    );
    return { orders: orders.map(wirePastOrder), pagination: pageOf(input, total) };
  },
});
