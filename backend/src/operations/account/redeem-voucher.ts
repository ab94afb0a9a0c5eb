import { z } from 'zod';
import { countAttempt } from '../../api/attempt.ts';
import { currency, money, timestamp, uuid } from '../../api/field.ts';
import { voucherWorth, wireWorth } from '../../api/voucher.ts';
import { wireAmount } from '../../base/money.ts';
import { wireTime } from '../../base/time.ts';
import { LIMITS } from '../../business/core/access/limits.ts';
import { type RedeemedVoucher, redeemVoucher } from '../../business/selling/vouchers/redeem.ts';
import { type Locale, operation } from '../../operation.ts';
import { lockedAccount } from '../../unit-of-work/unit-of-work.ts';

export default operation({
  method: 'POST',
  path: 'account/redeem-voucher',
  summary: 'Redeem a voucher',
  description:
    'A credit goes to the balance. A discount becomes a code of your own for one order, which `description` ' +
    'names: give it as `discount_code` with the order. It is good for as long as the voucher was. ' +
    'Every attempt counts against a limit, right or wrong.',
  audience: 'customer',
  scope: 'account:write',
  input: z.strictObject({
    code: z.string().min(4).max(64).describe('Capitals, spaces and hyphens make no difference.'),
  }),
  output: z.object({
    voucher: voucherWorth.extend({ description: z.string() }),
    credited: money,
    balance: money,
    currency,
    transaction_uuid: uuid.nullable(),
    redeemed_at: timestamp,
  }),
  message: { en: 'The voucher was redeemed.', de: 'Der Gutschein wurde eingelöst.' },
  errors: [
    'account_suspended',
    'voucher_not_found',
    'voucher_already_redeemed',
    'voucher_expired',
    'voucher_not_applicable',
    'rate_limited',
  ],
  secrets: ['code'],
  example: { input: { code: 'DEMO-TEN-EURO' } },
  async ask(ctx) {
    await countAttempt(ctx, LIMITS.voucher(ctx.caller.accountId, ctx.ip));
  },
  async handle(tx, ctx, input) {
    const account = lockedAccount(ctx.uow, ctx.caller.accountId);
    const outcome = await redeemVoucher(tx, ctx.uow, account, input.code);
    if (outcome.kind !== 'redeemed') throw ctx.refusal(outcome.kind);
    const { worth, entryId } = outcome.voucher;
    return {
      voucher: { ...wireWorth(worth), description: describe(outcome.voucher, ctx.locale) },
      credited: wireAmount(worth.kind === 'credit' ? worth.amount : 0n),
      balance: wireAmount(account.balance),
      currency: account.currency,
      transaction_uuid: entryId,
      redeemed_at: wireTime(ctx.uow.now),
    };
  },
});

function describe({ description, discountCode }: RedeemedVoucher, locale: Locale): string {
  if (discountCode === null) return description;
  const name = { en: 'discount code', de: 'Rabattcode' }[locale];
  return `${description} (${name}: ${discountCode})`;
}
