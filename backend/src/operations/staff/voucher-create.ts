import { z } from 'zod';
import { currency, timestamp, timestampInput, uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { productTypes } from '../../api/product.ts';
import { voucherWorth, wireWorth } from '../../api/voucher.ts';
import { parseWireAmount } from '../../base/money.ts';
import { isBefore, parseWireTime, wireTime, wireTimeOrNull } from '../../base/time.ts';
import { hasCents } from '../../business/core/catalog/schema/currency.ts';
import { createVouchers } from '../../business/selling/vouchers/create.ts';
import type { VoucherWorth } from '../../business/selling/vouchers/voucher.ts';
import { operation } from '../../operation.ts';

const WHOLE = 10_000;

const input = z.strictObject({
  kind: z.enum(['credit', 'discount']),
  value: z
    .number()
    .min(0.01)
    .max(1_000_000)
    .multipleOf(0.01, 'At most two decimals.')
    .describe('Of a credit the amount, of a discount the percentage.'),
  currency: currency.optional().describe('Of a credit; without it, that of the catalogue.'),
  products: productTypes.optional().describe('What a discount is good for; without it, everything.'),
  expires_at: timestampInput.optional().describe('Until when it can be redeemed, and a discount be used.'),
  count: z.int().min(1).max(1000).default(1).describe('How many alike.'),
  description: z
    .string()
    .trim()
    .min(1, 'This must not be empty.')
    .max(200)
    .describe('The customer reads it.'),
});

export default operation({
  method: 'POST',
  path: 'staff/voucher-create',
  summary: 'Make vouchers',
  description: 'The codes are in this answer and nowhere else.',
  audience: 'staff',
  scope: 'staff:billing',
  input,
  output: voucherWorth.extend({
    vouchers: z.array(z.object({ uuid, code: z.string() })),
    currency: currency.nullable(),
    description: z.string(),
    expires_at: timestamp.nullable(),
    created_at: timestamp,
  }),
  message: {
    en: 'The vouchers were made. Keep the codes: they are shown once.',
    de: 'Die Gutscheine wurden angelegt. Die Codes werden nur einmal gezeigt.',
  },
  errors: ['validation_failed'],
  secrets: ['code'],
  example: { input: { kind: 'credit', value: 25, count: 3, description: 'Spring fair' } },
  async handle(tx, ctx, input) {
    const worth = readWorth(input, ctx.catalog.content.currency);
    if ('problem' in worth) {
      throw ctx.refusal('validation_failed', fieldProblem(worth.pointer, 'not_allowed', worth.problem));
    }
    const { now } = ctx.uow;
    const expiresAt = input.expires_at === undefined ? null : parseWireTime(input.expires_at);
    if (input.expires_at !== undefined && (expiresAt === null || !isBefore(now, expiresAt))) {
      const problem = 'This must be a moment in the future.';
      throw ctx.refusal('validation_failed', fieldProblem('/expires_at', 'not_allowed', problem));
    }
    const { description } = input;
    const draft = { worth, description, expiresAt, createdBy: ctx.caller.userId };
    const vouchers = await createVouchers(tx, draft, input.count, now);
    return {
      vouchers: vouchers.map(({ id, code }) => ({ uuid: id, code })),
      ...wireWorth(worth),
      currency: worth.kind === 'credit' ? worth.currency : null,
      description,
      expires_at: wireTimeOrNull(expiresAt),
      created_at: wireTime(now),
    };
  },
});

function readWorth(
  { kind, value, currency = '', products }: z.output<typeof input>,
  catalogCurrency: string,
): VoucherWorth | { readonly pointer: string; readonly problem: string } {
  const hundredths = parseWireAmount(value);
  if (hundredths === null) return { pointer: '/value', problem: 'At most two decimals.' };
  if (kind === 'credit') {
    if (products !== undefined) {
      return { pointer: '/products', problem: 'Money is good for all products.' };
    }
    const code = currency || catalogCurrency;
    if (!hasCents(code)) {
      return { pointer: '/currency', problem: 'This must be a currency with two decimals.' };
    }
    return { kind, amount: hundredths, currency: code };
  }
  if (currency !== '') return { pointer: '/currency', problem: 'A percentage has no currency.' };
  if (hundredths > WHOLE) return { pointer: '/value', problem: 'At most 100 percent.' };
  return { kind, percent: Number(hundredths), products: products ?? null };
}
