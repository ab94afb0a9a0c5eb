import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { LockedAccount } from '../../../unit-of-work/unit-of-work.ts';

/** One account has at most so many. */
export const MOST_WEBHOOKS = 10;

/** Where a customer wants to be told of their account's events. */
export interface Webhook {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly active: boolean;
  readonly created_at: Instant;
  readonly disabled_at: Instant | null;
  readonly failing_since: Instant | null;
  readonly last_success_at: Instant | null;
}

const COLUMNS = `id, account_id, url, description, events, active, created_at, disabled_at, failing_since, last_success_at`;

const list = statement<Webhook>(
  'list_webhooks',
  `SELECT ${COLUMNS} FROM webhooks WHERE account_id = $1 AND removed_at IS NULL ORDER BY created_at, id`,
);
const load = statement<Webhook>(
  'load_webhook',
  `SELECT ${COLUMNS} FROM webhooks WHERE id = $1 AND account_id = $2 AND removed_at IS NULL`,
);

/** The account's webhooks, the oldest first. */
export function webhooksOf(db: Executor, accountId: string): Promise<Webhook[]> {
  return db.run(list, [accountId]);
}

/** One of the account's webhooks; null: it has no such. */
export async function webhookOf(db: Executor, accountId: string, id: string): Promise<Webhook | null> {
  const [webhook] = await db.run(load, [id, accountId]);
  return webhook ?? null;
}

const insert = statement<Webhook>(
  'insert_webhook',
  `INSERT INTO webhooks (id, account_id, url, description, events, secret_sealed, active, created_at, cursor)
   VALUES ($1, $2, $3, $4, $5::text[], $6, true, $7, $8) RETURNING ${COLUMNS}`,
);

export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly secretSealed: Buffer;
}

/** Tells of what happens from now on. null: the account has as many as it can. */
export async function addWebhook(
  tx: Transaction,
  account: LockedAccount,
  { url, description, events, secretSealed }: WebhookDraft,
  now: Instant,
): Promise<Webhook | null> {
  if ((await webhooksOf(tx, account.id)).length >= MOST_WEBHOOKS) return null;
  const values = [randomUUIDv7(), account.id, url, description, events, secretSealed, now, account.eventSeq];
  const [added] = await tx.run(insert, values);
  return added ?? null;
}

// Whoever is sending by what it was before stops after the request that is under way. Where it goes to another
// address, or is on again, its past is forgotten; and what happened while it was off is left out.
const update = statement<Webhook>(
  'update_webhook',
  `UPDATE webhooks SET url = $3, description = $4, events = $5::text[], active = $6, turns = turns + 1, taken_until = NULL,
     roused = $6,
     cursor = CASE WHEN $6 AND NOT active THEN $7 ELSE cursor END,
     disabled_at = CASE WHEN $6 THEN NULL ELSE disabled_at END,
     failing_since = CASE WHEN $8 THEN NULL ELSE failing_since END,
     quiet_until = CASE WHEN $8 THEN NULL ELSE quiet_until END,
     pauses = CASE WHEN $8 THEN 0 ELSE pauses END,
     holds_line = $8 OR holds_line
   WHERE id = $1 AND account_id = $2 RETURNING ${COLUMNS}`,
);

export type WebhookChange = Partial<Pick<Webhook, 'url' | 'description' | 'events' | 'active'>>;

/** Changes a webhook; one that is switched on again goes on with what happens from now on. */
export async function changeWebhook(
  tx: Transaction,
  account: LockedAccount,
  before: Webhook,
  change: WebhookChange,
): Promise<Webhook> {
  const { url, description, events, active } = { ...before, ...change };
  const afresh = url !== before.url || (active && !before.active);
  const values = [before.id, account.id, url, description, events, active, account.eventSeq, afresh];
  const [changed] = await tx.run(update, values);
  if (changed === undefined) throw new Error(`webhook ${before.id} is gone from under its account's lock`);
  return changed;
}

const remove = statement<{ id: string }>(
  'remove_webhook',
  `UPDATE webhooks SET active = false, secret_sealed = NULL, removed_at = $3, turns = turns + 1
   WHERE id = $1 AND account_id = $2 AND removed_at IS NULL RETURNING id`,
);

/** Sends nothing any more, and is not listed. What it has sent stays on record for thirty days. false: there is no such. */
export async function removeWebhook(
  tx: Transaction,
  accountId: string,
  id: string,
  now: Instant,
): Promise<boolean> {
  return (await tx.run(remove, [id, accountId, now])).length > 0;
}
