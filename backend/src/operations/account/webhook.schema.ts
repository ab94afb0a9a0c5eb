import { isIP } from 'node:net';
import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { isGlobalUnicast } from '../../base/global-address.ts';
import { hostOf, parseOutboundUrl } from '../../base/outbound-url.ts';
import { type Instant, wireTime, wireTimeOrNull } from '../../base/time.ts';
import { EVENT_CHOICES } from '../../business/notifications/webhooks/choice.ts';
import { isFailing } from '../../business/notifications/webhooks/health.ts';
import type { Webhook } from '../../business/notifications/webhooks/webhook.ts';
import type { RefusalDetail } from '../../errors.ts';

/** A name may lead elsewhere tomorrow, so only what it says is looked at; an IP address is what it is. */
function isSendable(text: string): boolean {
  const url = parseOutboundUrl(text);
  if (url === null) return false;
  const host = hostOf(url);
  return isIP(host) === 0 || isGlobalUnicast(host);
}

export const webhookUrl = z
  .string()
  .max(2_000)
  .refine(
    isSendable,
    'This must be a public https address, on port 443 or one from 1024 on, without a password or fragment.',
  )
  .overwrite((text) => parseOutboundUrl(text)?.href ?? text);

export const eventChoices = z
  .array(z.enum(EVENT_CHOICES))
  .min(1, 'At least one.')
  .max(100)
  .overwrite((choices) => [...new Set(choices)])
  .describe('Types of events, groups of them (`server.*`), or all (`*`).');

export const webhookDescription = z.string().trim().max(200);

const webhookState = z.enum(['active', 'failing', 'inactive', 'disabled']);

export const webhook = z.object({
  uuid,
  url: z.string(),
  events: z.array(z.string()),
  description: z.string(),
  active: z.boolean(),
  state: webhookState.describe(
    'failing: nothing was accepted for 72 hours; disabled: for seven days, so it was switched off.',
  ),
  failing_since: timestamp.nullable().describe('null: the last event was accepted, or none was sent yet.'),
  last_success_at: timestamp.nullable(),
  disabled_at: timestamp.nullable(),
  created_at: timestamp,
});

export function wireWebhook(found: Webhook, now: Instant) {
  return {
    uuid: found.id,
    url: found.url,
    events: [...found.events],
    description: found.description,
    active: found.active,
    state: stateOf(found, now),
    failing_since: wireTimeOrNull(found.failing_since),
    last_success_at: wireTimeOrNull(found.last_success_at),
    disabled_at: wireTimeOrNull(found.disabled_at),
    created_at: wireTime(found.created_at),
  };
}

function stateOf(
  { active, disabled_at, failing_since }: Webhook,
  now: Instant,
): z.output<typeof webhookState> {
  if (!active) return disabled_at === null ? 'inactive' : 'disabled';
  return isFailing(failing_since, now) ? 'failing' : 'active';
}

/** Why nothing can be sent to it. */
export function webhookInactive(found: Webhook, now: Instant): RefusalDetail {
  return { members: { current_state: stateOf(found, now), allowed_states: ['active', 'failing'] } };
}
