import type Stripe from 'stripe';
import { z } from 'zod';
import type { Instant } from '../../../base/time.ts';
import type { Webhook } from '../port.ts';

const TOLERANCE_SECONDS = 300;
const HEADER = 'stripe-signature';

/** Types of events that say that a payment changed. */
const TYPES: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
]);

/** What of an event's object is the same in all versions of the API. */
const Changed = z.looseObject({
  object: z.string(),
  id: z.string(),
  payment_intent: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
});

export type EventReading =
  | { readonly kind: 'refused'; readonly reason: string }
  /** `about` is the session or intent that changed; null: no payment did. */
  | { readonly kind: 'read'; readonly id: string; readonly type: string; readonly about: string | null };

/** Checks that an event is Stripe's and of now, and says which payment it is about. */
export function readEvent(stripe: Stripe, webhook: Webhook, secret: string, now: Instant): EventReading {
  const header = webhook.header(HEADER) ?? '';
  let event: Stripe.Event;
  try {
    event = stripe.webhooks.constructEvent(
      webhook.body,
      header,
      secret,
      TOLERANCE_SECONDS,
      undefined,
      now.epochMilliseconds,
    );
  } catch (error) {
    return { kind: 'refused', reason: (error as Error).message.split('\n')[0] ?? '' };
  }
  // The SDK looks at the age only. What is signed for later could be replayed until then.
  if (signedAt(header) - now.epochMilliseconds / 1000 > TOLERANCE_SECONDS)
    return { kind: 'refused', reason: 'Timestamp in the future' };
  return {
    kind: 'read',
    id: event.id,
    type: event.type,
    about: TYPES.has(event.type) ? aboutOf(event) : null,
  };
}

/** The moment that the signature covers, in seconds; of several the last, as the SDK takes it. */
function signedAt(header: string): number {
  return Number([...header.matchAll(/(?:^|,)t=(\d+)/g)].at(-1)?.[1]);
}

function aboutOf(event: Stripe.Event): string | null {
  const changed = Changed.parse(event.data.object);
  if (changed.object === 'checkout.session' || changed.object === 'payment_intent') return changed.id;
  const intent = changed.payment_intent ?? null;
  return intent === null || typeof intent === 'string' ? intent : intent.id;
}
