import { z } from 'zod';
import { currency, money, noInput, timestamp, uuid } from '../../api/field.ts';
import { amountOf, wireAmount } from '../../base/money.ts';
import { wireTime } from '../../base/time.ts';
import { methodsOf } from '../../business/selling/payments/method.ts';
import { topupSettings } from '../../business/selling/payments/settings.ts';
import { operation } from '../../operation.ts';
import { topupSettingsShape, wireTopupSettings } from './topup-settings.schema.ts';

export default operation({
  method: 'GET',
  path: 'account/payment-methods',
  summary: 'How you can pay, and what was kept of you',
  audience: 'customer',
  scope: 'account:read',
  input: noInput,
  output: z.object({
    offered: z.array(z.string()).describe('What `account/topup` takes as `method`.'),
    limits: z.object({ least: money, most: money, currency }),
    payment_methods: z
      .array(z.object({ uuid, method: z.string(), label: z.string(), created_at: timestamp }))
      .describe('The newest hundred that were saved and not removed.'),
    settings: topupSettingsShape,
  }),
  message: { en: 'These are your ways to pay.', de: 'Das sind Ihre Zahlungswege.' },
  errors: [],
  example: { input: {} },
  async read(ctx) {
    const { accountId } = ctx.caller;
    const [methods, settings] = await Promise.all([
      methodsOf(ctx.db, accountId),
      topupSettings(ctx.db, accountId),
    ]);
    const { topup, currency: sold } = ctx.catalog.content;
    return {
      offered: [...ctx.ports.payment.methods()],
      limits: {
        least: wireAmount(amountOf(topup.least)),
        most: wireAmount(amountOf(topup.most)),
        currency: sold,
      },
      payment_methods: methods.map((method) => ({
        uuid: method.id,
        method: method.provider,
        label: method.label,
        created_at: wireTime(method.created_at),
      })),
      settings: wireTopupSettings(settings),
    };
  },
});
