import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { listDiscounts } from '../../business/selling/orders/discount-list.ts';
import { operation } from '../../operation.ts';
import { discount, discountState, wireDiscount } from './discount.schema.ts';

export default operation({
  method: 'GET',
  path: 'staff/discounts',
  summary: 'Discount codes and how often they were used',
  description: '`search` takes a part of the code or the note.',
  audience: 'staff',
  scope: 'staff:read',
  input: z.strictObject({
    ...paging(['created_at']),
    state: discountState.optional(),
    customer_uuid: uuid.optional().describe('Personal codes of this customer.'),
  }),
  output: z.object({ discounts: z.array(discount), pagination }),
  message: { en: 'These are the discount codes.', de: 'Das sind die Rabattcodes.' },
  errors: ['validation_failed'],
  example: { input: { state: 'active' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { discounts, total } = await listDiscounts(
      ctx.db,
      {
        state: input.state ?? null,
        accountId: input.customer_uuid ?? null,
        text: input.search === undefined ? null : containing(input.search),
      },
      { order: input.order, limit: input.per_page, offset: offsetOf(input) },
      ctx.now,
    );
    return { discounts: discounts.map(wireDiscount), pagination: pageOf(input, total) };
  },
});
