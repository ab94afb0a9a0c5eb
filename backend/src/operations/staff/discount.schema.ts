import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { productType } from '../../api/product.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import type { ListedDiscount } from '../../business/selling/orders/discount-list.ts';

export const discountCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9][A-Z0-9_-]{2,63}$/, 'This must be 3 to 64 letters, digits, - and _.')
  .describe('Capitals make no difference.');

/** A percentage above 0 with up to two decimals, to 100. */
export const percentInput = z.number().min(0.01).max(100).multipleOf(0.01, 'At most two decimals.');

export const discountState = z
  .enum(['scheduled', 'active', 'used_up', 'ended'])
  .describe('`scheduled`: not yet good; `used_up`: as often as it may be; `ended`: no longer good.');

export const discount = z.object({
  code: z.string(),
  percent: z.number(),
  products: z.array(productType).nullable(),
  items: z.array(z.string()).nullable().describe('Packages.'),
  cycles: z.int().describe('For how many terms of a service, the first included; 0: for all.'),
  max_uses: z.int().nullable(),
  max_uses_per_account: z.int().nullable(),
  uses: z.int().describe('Orders with it, less those that came to nothing.'),
  valid_from: timestamp,
  valid_until: timestamp.nullable(),
  customer_uuid: uuid.nullable().describe('Whose it is alone.'),
  note: z.string(),
  state: discountState,
  created_at: timestamp,
});

export function wireDiscount(listed: ListedDiscount): z.input<typeof discount> {
  return {
    code: listed.code,
    percent: listed.percent / 100,
    products: listed.products === null ? null : z.array(productType).parse(listed.products),
    items: listed.items === null ? null : [...listed.items],
    cycles: listed.cycles,
    max_uses: listed.max_uses,
    max_uses_per_account: listed.max_uses_per_account,
    uses: listed.uses,
    valid_from: wireTime(listed.valid_from),
    valid_until: wireTimeOrNull(listed.valid_until),
    customer_uuid: listed.account_id,
    note: listed.note,
    state: listed.state,
    created_at: wireTime(listed.created_at),
  };
}
