import { z } from 'zod';
import { endDiscount } from '../../business/selling/orders/discount-code.ts';
import { findDiscount } from '../../business/selling/orders/discount-list.ts';
import { operation } from '../../operation.ts';
import { discount, discountCode, wireDiscount } from './discount.schema.ts';

export default operation({
  method: 'POST',
  path: 'staff/discount-end',
  summary: 'End a discount code',
  description:
    'Nobody orders with it any more. Services that were ordered with it keep what it promised them. ' +
    'Ending one that has ended changes nothing.',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({ code: discountCode }),
  output: discount,
  message: { en: 'The discount code has ended.', de: 'Der Rabattcode ist beendet.' },
  errors: ['not_found'],
  example: { input: { code: 'SPRING25' } },
  async handle(tx, ctx, input) {
    const { now } = ctx.uow;
    const ended = (await endDiscount(tx, input.code, now)) ? await findDiscount(tx, input.code, now) : null;
    if (ended === null) throw ctx.refusal('not_found');
    return wireDiscount(ended);
  },
});
