import { z } from 'zod';
import { timestampInput, uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { productTypes } from '../../api/product.ts';
import { parseWireAmount } from '../../base/money.ts';
import { type Instant, isBefore, parseWireTime } from '../../base/time.ts';
import { createDiscount } from '../../business/selling/orders/discount-code.ts';
import { findDiscount } from '../../business/selling/orders/discount-list.ts';
import { operation } from '../../operation.ts';
import { discount, discountCode, percentInput, wireDiscount } from './discount.schema.ts';

const uses = z.int().min(1).max(1_000_000_000);

export default operation({
  method: 'POST',
  path: 'staff/discount-create',
  summary: 'Make a discount code',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({
    code: discountCode,
    percent: percentInput.describe('Off the gross price.'),
    products: productTypes.optional().describe('Without it, for all.'),
    items: z.array(uuid).min(1).max(100).optional().describe('Only these packages.'),
    cycles: z
      .int()
      .min(0)
      .max(36)
      .default(1)
      .describe('For how many terms of a service, the first included; 0: for all.'),
    max_uses: uses.optional(),
    max_uses_per_account: uses.optional(),
    valid_from: timestampInput.optional().describe('Without it, from now on.'),
    valid_until: timestampInput.optional(),
    customer_uuid: uuid.optional().describe('For this customer alone.'),
    note: z.string().trim().max(500).default('').describe('For operators.'),
  }),
  output: discount,
  message: { en: 'The discount code was made.', de: 'Der Rabattcode wurde angelegt.' },
  errors: ['validation_failed', 'already_exists'],
  example: { input: { code: 'SPRING25', percent: 25, products: ['server'], max_uses: 100 } },
  async handle(tx, ctx, input) {
    const { now } = ctx.uow;
    const refuse = (pointer: string, message: string) =>
      ctx.refusal('validation_failed', fieldProblem(pointer, 'not_allowed', message));
    const percent = parseWireAmount(input.percent);
    if (percent === null) throw refuse('/percent', 'At most two decimals.');
    const moment = (pointer: '/valid_from' | '/valid_until', text: string): Instant => {
      const parsed = parseWireTime(text);
      if (parsed === null) throw refuse(pointer, 'This moment does not exist.');
      return parsed;
    };
    const validFrom = input.valid_from === undefined ? now : moment('/valid_from', input.valid_from);
    const validUntil = input.valid_until === undefined ? null : moment('/valid_until', input.valid_until);
    if (validUntil !== null && !(isBefore(now, validUntil) && isBefore(validFrom, validUntil))) {
      throw refuse('/valid_until', 'This must be in the future, and after valid_from.');
    }
    if (input.customer_uuid !== undefined) {
      const customer = tx.kysely.selectFrom('accounts').select('id').where('id', '=', input.customer_uuid);
      if ((await customer.executeTakeFirst()) === undefined) {
        throw refuse('/customer_uuid', 'There is no such customer.');
      }
    }
    const draft = {
      code: input.code,
      percent: Number(percent),
      products: input.products ?? null,
      items: input.items ?? null,
      cycles: input.cycles,
      maxUses: input.max_uses ?? null,
      maxUsesPerAccount: input.max_uses_per_account ?? null,
      validFrom,
      validUntil,
      accountId: input.customer_uuid ?? null,
      note: input.note,
      createdBy: ctx.caller.userId,
    };
    if (!(await createDiscount(tx, draft, now))) throw ctx.refusal('already_exists');
    const made = await findDiscount(tx, input.code, now);
    if (made === null) throw new Error('a discount code is gone that was just made');
    return wireDiscount(made);
  },
});
