import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { removeWebhook } from '../../business/notifications/webhooks/webhook.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'account/webhook-delete',
  summary: 'Remove a webhook',
  description: 'Nothing is sent to it any more, neither what waits; its secret is forgotten.',
  audience: 'customer',
  scope: 'account:write',
  security: true,
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, deleted_at: timestamp }),
  message: { en: 'The webhook was removed.', de: 'Der Webhook wurde entfernt.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const { now } = ctx.uow;
    const removed = await removeWebhook(tx, ctx.caller.accountId, input.uuid, now);
    if (!removed) throw ctx.refusal('not_found');
    return { uuid: input.uuid, deleted_at: wireTime(now) };
  },
});
