import type { Instant } from '../../../base/time.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { eventOf, eventsBetween } from '../events/past.ts';
import { isChosen, TEST_EVENT } from './choice.ts';
import { wakeWebhook } from './claim.ts';
import { queueDeliveries } from './delivery.ts';
import type { Webhook } from './webhook.ts';

/** Events that one replay sends at most. */
export const MOST_REPLAYED = 1_000;
/** How far back events can be sent again. */
const REPLAYED_HOURS = 30 * 24;

/** Sends one event again, whether the webhook has chosen its type or not. null: there is none to send. */
export async function replayEvent(
  tx: Transaction,
  webhook: Webhook,
  eventId: string,
  now: Instant,
): Promise<number | null> {
  const event = await eventOf(tx, webhook.account_id, eventId, now.subtract({ hours: REPLAYED_HOURS }));
  if (event === null || event.type === TEST_EVENT) return null;
  return await queue(tx, webhook, [event], now);
}

/** Sends those events again whose types the webhook has chosen. The range has at most {@link MOST_REPLAYED}. */
export async function replayRange(
  tx: Transaction,
  webhook: Webhook,
  range: { readonly from: bigint; readonly to: bigint },
  now: Instant,
): Promise<number> {
  const since = now.subtract({ hours: REPLAYED_HOURS });
  const events = await eventsBetween(tx, webhook.account_id, range, since);
  const chosen = events.filter(({ type }) => isChosen(webhook.events, type));
  return await queue(tx, webhook, chosen, now);
}

async function queue(
  tx: Transaction,
  webhook: Webhook,
  events: Parameters<typeof queueDeliveries>[3],
  now: Instant,
): Promise<number> {
  const queued = await queueDeliveries(tx, webhook.id, 'replay', events, now);
  await wakeWebhook(tx, webhook.id);
  return queued.length;
}
