import { z } from 'zod';
import { offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { listPayments } from '../../business/selling/payments/list.ts';
import { operation } from '../../operation.ts';
import { payment, paymentMethod, paymentState, wirePayment } from './payment.schema.ts';

const { search: _, ...listing } = paging(['created_at']);

export default operation({
  method: 'GET',
  path: 'account/payments',
  summary: 'What you paid in, and what is under way',
  description: '`instructions` are in `account/payment` only.',
  audience: 'customer',
  scope: 'account:read',
  input: z.strictObject({ ...listing, state: paymentState.optional(), method: paymentMethod.optional() }),
  output: z.object({ payments: z.array(payment), pagination }),
  message: { en: 'These are your payments.', de: 'Das sind Ihre Zahlungen.' },
  errors: ['validation_failed'],
  example: { input: { state: 'pending' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { payments, total } = await listPayments(
      ctx.db,
      { accountId: ctx.caller.accountId, state: input.state ?? null, method: input.method ?? null },
      { order: input.order, limit: input.per_page, offset: offsetOf(input) },
    );
    return {
      payments: payments.map((found) => wirePayment(found, ctx.publicUrl, null)),
      pagination: pageOf(input, total),
    };
  },
});
