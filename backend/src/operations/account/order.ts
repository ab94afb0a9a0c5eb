import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { orderDetails, wireOrderDetails } from '../../api/past-order.ts';
import { pastOrder, refundsOf } from '../../business/selling/orders/history.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'account/order',
  summary: 'One order: how its price came about, and what you agreed to',
  audience: 'customer',
  scope: 'account:read',
  respectsAllowlist: true,
  input: z.strictObject({ uuid: uuid.describe('The `order_id`.') }),
  output: z.object({ order: orderDetails }),
  message: { en: 'The order was found.', de: 'Die Bestellung wurde gefunden.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async read(ctx, input) {
    const { accountId, resourceAllowlist } = ctx.caller;
    const [order, refunds] = await Promise.all([
      pastOrder(ctx.db, accountId, input.uuid),
      refundsOf(ctx.db, input.uuid),
    ]);
    const hidden = order !== null && resourceAllowlist?.includes(order.service_id) === false;
    if (order === null || hidden) throw ctx.refusal('not_found');
    return { order: wireOrderDetails(order, refunds) };
  },
});
