import { z } from 'zod';
import { currency, timestamp, uuid } from '../../api/field.ts';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { voucherWorth, wireWorth } from '../../api/voucher.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { worthOf } from '../../business/selling/vouchers/voucher.ts';
import { listVouchers } from '../../business/selling/vouchers/voucher-list.ts';
import { operation } from '../../operation.ts';

const state = z.enum(['open', 'redeemed', 'expired', 'revoked']);

export default operation({
  method: 'GET',
  path: 'staff/vouchers',
  summary: 'Vouchers',
  description: '`search` takes a part of the description, or the last characters of a code.',
  audience: 'staff',
  scope: 'staff:read',
  input: z.strictObject({ ...paging(['created_at']), state: state.optional() }),
  output: z.object({
    vouchers: z.array(
      voucherWorth.extend({
        uuid,
        tail: z.string().describe('The last characters of its code, which is kept nowhere.'),
        currency: currency.nullable(),
        description: z.string(),
        state,
        created_at: timestamp,
        expires_at: timestamp.nullable(),
        revoked_at: timestamp.nullable(),
        redeemed_at: timestamp.nullable(),
        redeemed_by: uuid.nullable().describe('The customer.'),
        transaction_uuid: uuid.nullable(),
        discount_code: z.string().nullable().describe('The personal code that a discount became.'),
      }),
    ),
    pagination,
  }),
  message: { en: 'These are the vouchers.', de: 'Das sind die Gutscheine.' },
  errors: ['validation_failed'],
  example: { input: { state: 'open' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { vouchers, total } = await listVouchers(
      ctx.db,
      { state: input.state ?? null, text: input.search === undefined ? null : containing(input.search) },
      { order: input.order, limit: input.per_page, offset: offsetOf(input) },
      ctx.now,
    );
    return {
      vouchers: vouchers.map((voucher) => ({
        uuid: voucher.id,
        tail: voucher.tail,
        ...wireWorth(worthOf(voucher)),
        currency: voucher.currency,
        description: voucher.description,
        state: voucher.state,
        created_at: wireTime(voucher.created_at),
        expires_at: wireTimeOrNull(voucher.expires_at),
        revoked_at: wireTimeOrNull(voucher.revoked_at),
        redeemed_at: wireTimeOrNull(voucher.redeemed_at),
        redeemed_by: voucher.redeemed_by,
        transaction_uuid: voucher.entry_id,
        discount_code: voucher.discount_code,
      })),
      pagination: pageOf(input, total),
    };
  },
});
