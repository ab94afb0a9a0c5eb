import { z } from 'zod';
import { countCode, demandOwnSecondFactor, secondFactorCode } from '../../api/second-factor.ts';
import { newWebhookSecret, WEBHOOK_SECRET } from '../../business/notifications/webhooks/signature.ts';
import { addWebhook, MOST_WEBHOOKS } from '../../business/notifications/webhooks/webhook.ts';
import { operation } from '../../operation.ts';
import { lockedAccount } from '../../unit-of-work/unit-of-work.ts';
import { eventChoices, webhook, webhookDescription, webhookUrl, wireWebhook } from './webhook.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/webhook-create',
  summary: 'Be told of your events as they happen',
  description:
    'Each event from now on is sent to the address as a POST, signed with the secret, which is in this answer and ' +
    'nowhere else. The guide to webhooks says how to verify it, and when what is not accepted comes again. In a ' +
    'session, who has two-factor authentication gives a code.',
  audience: 'customer',
  scope: 'account:write',
  security: true,
  input: z.strictObject({
    url: webhookUrl,
    events: eventChoices,
    description: webhookDescription.default(''),
    code: secondFactorCode.optional(),
  }),
  output: webhook.extend({ secret: z.string().describe('`whsec_…`, as Standard Webhooks has it.') }),
  message: {
    en: 'The webhook was made. Keep its secret: it is shown once.',
    de: 'Der Webhook wurde angelegt. Sein Geheimnis wird nur einmal gezeigt.',
  },
  errors: ['webhook_limit_reached', 'two_factor_required', 'two_factor_invalid', 'rate_limited'],
  secrets: ['secret', 'code'],
  example: { input: { url: 'https://hooks.example.com/hosting', events: ['server.*', 'order.paid'] } },
  ask: (ctx, input) => countCode(ctx, ctx.caller.userId, input.code),
  async handle(tx, ctx, { code, url, events, description }) {
    // It is told of all that happens to the account, for as long as it stays.
    await demandOwnSecondFactor(tx, ctx, code);
    const { now } = ctx.uow;
    const account = lockedAccount(ctx.uow, ctx.caller.accountId);
    const secret = newWebhookSecret();
    const draft = { url, events, description, secretSealed: ctx.sealer.seal(WEBHOOK_SECRET, secret) };
    const added = await addWebhook(tx, account, draft, now);
    if (added === null) throw ctx.refusal('webhook_limit_reached', { members: { limit: MOST_WEBHOOKS } });
    return { ...wireWebhook(added, now), secret };
  },
});
