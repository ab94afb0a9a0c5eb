import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { WebhookHealth } from './health.ts';

/** A webhook that one worker has to itself, for as long as `turns` stays. */
export interface ClaimedWebhook {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly secret_sealed: Buffer;
  readonly cursor: bigint;
  readonly turns: bigint;
  readonly failing_since: Instant | null;
  readonly pauses: number;
  readonly holds_line: boolean;
  readonly quiet_until: Instant | null;
}

/**
 * Only active webhooks and the one row of each one's account are looked at: that costs the same however many accounts
 * and events there are. Who waited longest comes first. One whose lease has run out was left in the middle of a turn.
 */
export const claimWebhooksText = `WITH ready AS (
    SELECT w.id FROM webhooks w JOIN accounts a ON a.id = w.account_id
    WHERE w.active AND a.state <> 'closed' AND (w.taken_until IS NULL OR w.taken_until <= $1)
      AND (w.roused OR w.taken_until IS NOT NULL
        OR ((w.quiet_until IS NULL OR w.quiet_until <= $1) AND (a.event_seq > w.cursor OR w.due_at <= $1)))
    ORDER BY w.taken_at NULLS FIRST LIMIT $3 FOR UPDATE OF w SKIP LOCKED)
  UPDATE webhooks w SET taken_until = $2, taken_at = $1, turns = turns + 1, roused = false FROM ready
  WHERE w.id = ready.id
  RETURNING w.id, w.account_id, w.url, w.events, w.secret_sealed, w.cursor, w.turns, w.failing_since, w.pauses,
    w.holds_line, w.quiet_until`;
const take = statement<ClaimedWebhook>('take_webhooks', claimWebhooksText);

/** Takes up to `limit` webhooks that have something to send; nobody else takes them before `until`. */
export function claimWebhooks(
  db: Executor,
  { now, until, limit }: { readonly now: Instant; readonly until: Instant; readonly limit: number },
): Promise<ClaimedWebhook[]> {
  return db.run(take, [now, until, limit]);
}

const move = statement<{ id: string }>(
  'move_webhook_cursor',
  'UPDATE webhooks SET cursor = $3 WHERE id = $1 AND turns = $2 RETURNING id',
);

/** Everything up to `cursor` has its delivery. false: somebody else has the webhook now. */
export async function moveCursor(db: Executor, taken: ClaimedWebhook, cursor: bigint): Promise<boolean> {
  return (await db.run(move, [taken.id, taken.turns, cursor])).length > 0;
}

const giveBack = statement<object>(
  'give_back_webhook',
  `UPDATE webhooks SET taken_until = NULL, failing_since = $3, pauses = $4, holds_line = $5, quiet_until = $6,
     last_success_at = coalesce($7, last_success_at),
     due_at = (SELECT min(due_at) FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'pending')
   WHERE id = $1 AND turns = $2`,
);

/** Ends the turn. Without effect when somebody else has the webhook now. */
export async function releaseWebhook(
  db: Executor,
  taken: ClaimedWebhook,
  standing: WebhookHealth,
  lastSuccessAt: Instant | null,
): Promise<void> {
  const { failingSince, pauses, holdsLine, quietUntil } = standing;
  const values = [taken.id, taken.turns, failingSince, pauses, holdsLine, quietUntil, lastSuccessAt];
  await db.run(giveBack, values);
}

const rouse = statement<object>('rouse_webhook', 'UPDATE webhooks SET roused = true WHERE id = $1');

/** Has somebody look at the webhook at once, also while all is quiet. */
export async function wakeWebhook(db: Executor, id: string): Promise<void> {
  await db.run(rouse, [id]);
}
