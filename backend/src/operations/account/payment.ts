import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { paymentOf } from '../../business/selling/payments/payment.ts';
import { operation } from '../../operation.ts';
import { payment, wirePayment } from './payment.schema.ts';

export default operation({
  method: 'GET',
  path: 'account/payment',
  summary: 'One payment, and how to make it',
  audience: 'customer',
  scope: 'account:read',
  input: z.strictObject({ uuid }),
  output: z.object({ payment }),
  message: { en: 'The payment was found.', de: 'Die Zahlung wurde gefunden.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async read(ctx, input) {
    const found = await paymentOf(ctx.db, input.uuid);
    if (found === null || found.account_id !== ctx.caller.accountId) throw ctx.refusal('not_found');
    const { amount, currency, reference, state } = found;
    const transfer =
      reference === null || state !== 'pending'
        ? null
        : await ctx.ports.payment.transferInstructions({ amount, currency, reference });
    return { payment: wirePayment(found, ctx.publicUrl, transfer) };
  },
});
