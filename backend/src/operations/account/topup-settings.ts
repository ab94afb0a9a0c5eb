import { z } from 'zod';
import { moneyInput, uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { methodOf } from '../../business/selling/payments/method.ts';
import { saveTopupSettings } from '../../business/selling/payments/settings.ts';
import { balanceLowJob } from '../../business/selling/payments/work.ts';
import { operation } from '../../operation.ts';
import { lockedAccount } from '../../unit-of-work/unit-of-work.ts';
import { amountGiven, topupAmount, topupProblem } from './payment.schema.ts';
import { topupSettingsShape, wireTopupSettings } from './topup-settings.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/topup-settings',
  summary: 'Be told of a low balance, and top it up by itself',
  description:
    'When a booking brings the balance below the threshold, you get a mail, and with `auto_topup` the amount is ' +
    'charged to a saved way to pay: at most three times a day, and after a decline not before the next day. With a ' +
    'balance that is below already, it begins at once.',
  audience: 'customer',
  scope: 'account:write',
  security: true,
  input: z.strictObject({
    low_balance_threshold: moneyInput.nullable().describe('null: never.'),
    auto_topup: z
      .strictObject({ amount: topupAmount, payment_method_uuid: uuid })
      .nullable()
      .describe('Needs a threshold.'),
  }),
  output: topupSettingsShape,
  message: { en: 'The settings were saved.', de: 'Die Einstellungen wurden gespeichert.' },
  errors: ['validation_failed'],
  example: { input: { low_balance_threshold: 10, auto_topup: null } },
  async handle(tx, ctx, { low_balance_threshold: below, auto_topup: automatic }) {
    const account = lockedAccount(ctx.uow, ctx.caller.accountId);
    const threshold = below === null ? null : amountGiven(below);
    if (automatic !== null) {
      const problem =
        threshold === null
          ? fieldProblem('/auto_topup', 'not_allowed', 'An automatic top-up needs a threshold.')
          : topupProblem(automatic.amount, ctx.catalog, '/auto_topup/amount');
      if (problem !== null) throw ctx.refusal('validation_failed', problem);
      const method = await methodOf(tx, account.id, automatic.payment_method_uuid);
      if (method === null || method.removed_at !== null) {
        const pointer = '/auto_topup/payment_method_uuid';
        const missing = fieldProblem(pointer, 'not_allowed', 'You have saved no such way to pay.');
        throw ctx.refusal('validation_failed', missing);
      }
    }
    const settings = {
      threshold,
      automatic:
        automatic === null
          ? null
          : { amount: amountGiven(automatic.amount), methodId: automatic.payment_method_uuid },
    };
    await saveTopupSettings(tx, account.id, settings);
    if (automatic !== null && threshold !== null && account.balance < threshold)
      ctx.uow.jobs.push(balanceLowJob(account.id));
    return wireTopupSettings(settings);
  },
});
