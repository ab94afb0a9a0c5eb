import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { LoggedEvent } from '../events/log.ts';

/** Why an event is sent: it happened, it was asked for again, or it is there to try the webhook out. */
export type DeliveryKind = 'event' | 'replay' | 'test';
export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** One request, and what came of it; as it is kept, and as it is shown. */
export interface Attempt {
  readonly at: string;
  /** null: no answer. */
  readonly status: number | null;
  readonly duration_ms: number;
  /** null: accepted. */
  readonly error: string | null;
  /** The beginning of an answer that does not accept. */
  readonly answer: string | null;
}

/** An event on its way to a webhook. */
export interface Delivery {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly sequence: bigint;
  readonly event_at: Instant;
  readonly attempts: number;
  readonly created_at: Instant;
}

const insert = statement<{ id: string }>(
  'insert_deliveries',
  `INSERT INTO webhook_deliveries (id, webhook_id, kind, event_id, event_type, sequence, event_at, state, created_at, due_at)
   SELECT d.id, $1, $2, d.event_id, d.event_type, d.sequence, d.event_at, 'pending', $3, $3
   FROM unnest($4::uuid[], $5::uuid[], $6::text[], $7::bigint[], $8::timestamptz[])
     d(id, event_id, event_type, sequence, event_at)
   ON CONFLICT (webhook_id, sequence) WHERE state = 'pending' DO NOTHING RETURNING id`,
);

/** An event with what a delivery keeps of it. */
export type DeliveredEvent = Pick<LoggedEvent, 'id' | 'type' | 'sequence' | 'created_at'>;

/** Has events sent to a webhook, each in its place in the line. Answers their deliveries; what waits there already has none. */
export async function queueDeliveries(
  db: Executor,
  webhookId: string,
  kind: DeliveryKind,
  events: readonly DeliveredEvent[],
  now: Instant,
): Promise<readonly string[]> {
  if (events.length === 0) return [];
  const queued = await db.run(insert, [
    webhookId,
    kind,
    now,
    events.map(() => randomUUIDv7()),
    events.map((event) => event.id),
    events.map((event) => event.type),
    events.map((event) => event.sequence),
    events.map((event) => event.created_at),
  ]);
  return queued.map(({ id }) => id);
}

const due = statement<Delivery>(
  'due_deliveries',
  `SELECT id, kind, sequence, event_at, attempts, created_at FROM webhook_deliveries
   WHERE webhook_id = $1 AND state = 'pending' AND due_at <= $2 AND (NOT $3 OR kind = 'test')
   ORDER BY kind = 'test' DESC, CASE WHEN $4 THEN attempts END, sequence LIMIT $5`,
);

export interface Choosing {
  readonly testsOnly: boolean;
  /** Those first that were tried least: whether the receiver takes anything at all is what is to be found out. */
  readonly leastTriedFirst: boolean;
  readonly limit: number;
}

/** What is due: tests first, then in the order of events. */
export function dueDeliveries(
  db: Executor,
  webhookId: string,
  { testsOnly, leastTriedFirst, limit }: Choosing,
  now: Instant,
): Promise<Delivery[]> {
  return db.run(due, [webhookId, now, testsOnly, leastTriedFirst, limit]);
}

// What was accepted is delivered, whoever has the webhook meanwhile; a failure counts only while it is the same turn's.
const record = statement<{ turns: bigint }>(
  'record_delivery',
  `WITH webhook AS (SELECT turns FROM webhooks WHERE id = $1),
   recorded AS (
     UPDATE webhook_deliveries d SET state = $4, attempts = attempts + 1, due_at = $5, finished_at = $6,
       log = log || $7::jsonb
     FROM webhook w WHERE d.id = $3 AND d.state = 'pending' AND ($4 = 'delivered' OR w.turns = $2))
   SELECT turns FROM webhook`,
);

export type DeliveryOutcome =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'pending'; readonly dueAt: Instant };

/** Writes down what came of an attempt. false: somebody else has the webhook now. */
export async function recordAttempt(
  db: Executor,
  webhook: { readonly id: string; readonly turns: bigint },
  deliveryId: string,
  attempt: Attempt,
  outcome: DeliveryOutcome,
  now: Instant,
): Promise<boolean> {
  const dueAt = outcome.state === 'pending' ? outcome.dueAt : null;
  const [found] = await db.run(record, [
    webhook.id,
    webhook.turns,
    deliveryId,
    outcome.state,
    dueAt,
    dueAt === null ? now : null,
    JSON.stringify([attempt]),
  ]);
  return found?.turns === webhook.turns;
}

const hasten = statement<object>(
  'hasten_deliveries',
  `UPDATE webhook_deliveries SET due_at = $2 WHERE webhook_id = $1 AND state = 'pending' AND due_at > $2`,
);

/** Makes everything that waits due now: the receiver is back. */
export async function hastenDeliveries(db: Executor, webhookId: string, now: Instant): Promise<void> {
  await db.run(hasten, [webhookId, now]);
}
