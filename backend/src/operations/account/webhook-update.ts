import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { countCode, demandOwnSecondFactor, secondFactorCode } from '../../api/second-factor.ts';
import { choosesMore } from '../../business/notifications/webhooks/choice.ts';
import { changeWebhook, type Webhook, webhookOf } from '../../business/notifications/webhooks/webhook.ts';
import { operation } from '../../operation.ts';
import { lockedAccount } from '../../unit-of-work/unit-of-work.ts';
import { eventChoices, webhook, webhookDescription, webhookUrl, wireWebhook } from './webhook.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/webhook-update',
  summary: 'Change a webhook, or switch it off or on',
  description:
    'The secret stays. A webhook that is switched on again goes on with what happens from then on: for what ' +
    'happened meanwhile there is `account/webhook-replay`. To have it send to another address, or more than before, in ' +
    'a session, who has two-factor authentication gives a code.',
  audience: 'customer',
  scope: 'account:write',
  security: true,
  input: z.strictObject({
    uuid,
    url: webhookUrl.optional(),
    events: eventChoices.optional(),
    description: webhookDescription.optional(),
    active: z.boolean().optional(),
    code: secondFactorCode.optional(),
  }),
  output: webhook,
  message: { en: 'The webhook was changed.', de: 'Der Webhook wurde geändert.' },
  errors: ['not_found', 'two_factor_required', 'two_factor_invalid', 'rate_limited'],
  secrets: ['code'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', active: true } },
  ask: (ctx, input) => countCode(ctx, ctx.caller.userId, input.code),
  async handle(tx, ctx, { uuid: id, code, url, events, description, active }) {
    const account = lockedAccount(ctx.uow, ctx.caller.accountId);
    const found = await webhookOf(tx, account.id, id);
    if (found === null) throw ctx.refusal('not_found');
    const wanted = { url: url ?? found.url, events: events ?? found.events };
    if (tellsMore(found, wanted)) await demandOwnSecondFactor(tx, ctx, code);
    const changed = await changeWebhook(tx, account, found, {
      ...wanted,
      description: description ?? found.description,
      active: active ?? found.active,
    });
    return wireWebhook(changed, ctx.uow.now);
  },
});

type Told = Pick<Webhook, 'url' | 'events'>;

/** Whether somebody else is told, or more than before. */
function tellsMore(before: Told, wanted: Told): boolean {
  return wanted.url !== before.url || choosesMore(before.events, wanted.events);
}
