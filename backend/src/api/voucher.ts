import { z } from 'zod';
import { wireAmount } from '../base/money.ts';
import type { VoucherWorth } from '../business/selling/vouchers/voucher.ts';
import { productType } from './product.ts';

/** What a voucher is worth, as every operation about vouchers says it. */
export const voucherWorth = z.object({
  type: z.enum(['credit', 'discount']),
  value: z.number().describe('Of a credit the amount, of a discount the percentage.'),
  product_types: z.array(productType).nullable().describe('What a discount is good for; null: everything.'),
});

export function wireWorth(worth: VoucherWorth): z.input<typeof voucherWorth> {
  if (worth.kind === 'credit')
    return { type: 'credit', value: wireAmount(worth.amount), product_types: null };
  return {
    type: 'discount',
    value: worth.percent / 100,
    product_types: worth.products === null ? null : z.array(productType).parse(worth.products),
  };
}
