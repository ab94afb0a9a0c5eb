import { z } from 'zod';
import { noInput } from '../../api/field.ts';
import { webhooksOf } from '../../business/notifications/webhooks/webhook.ts';
import { operation } from '../../operation.ts';
import { webhook, wireWebhook } from './webhook.schema.ts';

export default operation({
  method: 'GET',
  path: 'account/webhooks',
  summary: 'Where you are told of your events',
  audience: 'customer',
  scope: 'account:read',
  input: noInput,
  output: z.object({ webhooks: z.array(webhook) }),
  message: { en: 'These are your webhooks.', de: 'Das sind Ihre Webhooks.' },
  errors: [],
  example: { input: {} },
  async read(ctx) {
    const found = await webhooksOf(ctx.db, ctx.caller.accountId);
    return { webhooks: found.map((one) => wireWebhook(one, ctx.now)) };
  },
});
