import { z } from 'zod';
import { tooManyAttempts } from '../../api/attempt.ts';
import { uuid } from '../../api/field.ts';
import { attempt, bucketOf } from '../../business/core/access/attempt.ts';
import { tryOut } from '../../business/notifications/webhooks/test-delivery.ts';
import { webhookOf } from '../../business/notifications/webhooks/webhook.ts';
import { operation } from '../../operation.ts';
import { lockedAccount } from '../../unit-of-work/unit-of-work.ts';
import { webhookInactive } from './webhook.schema.ts';

/** Each is a request to somewhere: not as many as anybody likes. */
const LIMIT = { limit: 30, windowSeconds: 15 * 60 };

export default operation({
  method: 'POST',
  path: 'account/webhook-test',
  summary: 'Try out a webhook',
  description:
    'An event of the type `webhook.test` is sent at once and once, ahead of all that waits, to this webhook alone. ' +
    'What came of it is in `account/webhook-deliveries` a moment later.',
  audience: 'customer',
  scope: 'account:write',
  security: true,
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, delivery_uuid: uuid, event_uuid: uuid }),
  message: { en: 'The test is on its way.', de: 'Der Test ist unterwegs.' },
  errors: ['not_found', 'state_conflict', 'rate_limited'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async ask(ctx) {
    const bucket = bucketOf('webhook-test-of', ctx.caller.accountId);
    const tooMany = await attempt(ctx.db, [{ bucket, ...LIMIT }], ctx.now);
    if (tooMany !== null) throw ctx.refusal('rate_limited', tooManyAttempts(tooMany));
  },
  async handle(tx, ctx, input) {
    const account = lockedAccount(ctx.uow, ctx.caller.accountId);
    const found = await webhookOf(tx, account.id, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    if (!found.active) throw ctx.refusal('state_conflict', webhookInactive(found, ctx.uow.now));
    const { deliveryId, eventId } = await tryOut(tx, ctx.uow, account, found);
    return { uuid: found.id, delivery_uuid: deliveryId, event_uuid: eventId };
  },
});
