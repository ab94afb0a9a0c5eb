import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { methodOf, removeMethod } from '../../business/selling/payments/method.ts';
import { stopAutoTopup } from '../../business/selling/payments/settings.ts';
import { forgetMethodJob } from '../../business/selling/payments/work.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'account/payment-method-remove',
  summary: 'Remove a saved way to pay',
  description:
    'Nothing is charged to it from now on, and its provider is told to forget it. Automatic top-ups by it end. ' +
    'Removing it twice changes nothing.',
  audience: 'customer',
  scope: 'account:write',
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, removed_at: timestamp }),
  message: { en: 'The way to pay was removed.', de: 'Der Zahlungsweg wurde entfernt.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const { accountId } = ctx.caller;
    const { now, jobs } = ctx.uow;
    const method = await methodOf(tx, accountId, input.uuid);
    if (method === null) throw ctx.refusal('not_found');
    if (method.removed_at === null) {
      await removeMethod(tx, method.id, now);
      await stopAutoTopup(tx, accountId, method.id);
      jobs.push(forgetMethodJob(method.id));
    }
    return { uuid: method.id, removed_at: wireTime(method.removed_at ?? now) };
  },
});
