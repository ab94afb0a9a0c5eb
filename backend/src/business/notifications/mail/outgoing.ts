import type { Instant } from '../../../base/time.ts';
import type { Executor, Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { MailThread } from './thread.ts';

/** A mail that one worker has taken to send, with its recipient as they are now. */
export interface OutgoingMail {
  readonly id: string;
  readonly template: string;
  readonly variables: object;
  readonly secrets_sealed: Buffer | null;
  readonly thread: MailThread | null;
  /** This one included. */
  readonly attempts: number;
  readonly created_at: Instant;
  /** The address that it was queued for; null: the user's. */
  readonly recipient: string | null;
  readonly locale: string | null;
  readonly account_state: string | null;
  readonly email: string | null;
  readonly email_verified: boolean | null;
  readonly user_locale: string | null;
  readonly user_state: string | null;
  readonly timezone: string | null;
  readonly name: string | null;
}

// Whom another worker has taken is skipped; whoever dies with some in hand gives them back when the lease ends.
const take = statement<OutgoingMail>(
  'take_mails',
  `WITH due AS (
     SELECT id FROM mails WHERE state = 'queued' AND due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED),
   taken AS (
     UPDATE mails m SET due_at = $2, attempts = m.attempts + 1 FROM due WHERE m.id = due.id RETURNING m.*)
   SELECT m.id, m.template, m.variables, m.secrets_sealed, m.thread, m.attempts, m.created_at, m.recipient, m.locale,
     a.state AS account_state, u.email, u.email_verified_at IS NOT NULL AS email_verified, u.locale AS user_locale,
     u.state AS user_state, u.timezone, concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')) AS name
   FROM taken m LEFT JOIN accounts a ON a.id = m.account_id
   LEFT JOIN LATERAL (
     SELECT * FROM users x WHERE x.id = m.user_id
     UNION ALL
     SELECT * FROM users x WHERE x.account_id = m.account_id AND x.role = 'owner' AND m.user_id IS NULL
       AND m.recipient IS NULL
     LIMIT 1) u ON true
   ORDER BY m.created_at, m.id`,
);

/** Takes up to `limit` mails that are due; nobody else takes them before `until`. */
export function takeMails(pool: Pool, now: Instant, until: Instant, limit: number): Promise<OutgoingMail[]> {
  return pool.run(take, [now, until, limit]);
}

export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'later'; readonly at: Instant; readonly reason: string };

// A mail that was sent is sent, whoever has taken it meanwhile; of everything else only the last taker decides.
// What is not sent again needs its secrets no longer.
const record = statement<object>(
  'record_mail',
  `UPDATE mails SET state = $3, due_at = coalesce($4, due_at), failure = $5, sent_at = $6,
     secrets_sealed = CASE WHEN $3 = 'queued' THEN secrets_sealed END
   WHERE id = $1 AND state = 'queued' AND ($3 = 'sent' OR attempts = $2)`,
);

export async function recordOutcome(
  db: Executor,
  mail: Pick<OutgoingMail, 'id' | 'attempts'>,
  outcome: MailOutcome,
  now: Instant,
): Promise<void> {
  const state = outcome.kind === 'later' ? 'queued' : outcome.kind;
  await db.run(record, [
    mail.id,
    mail.attempts,
    state,
    outcome.kind === 'later' ? outcome.at : null,
    outcome.kind === 'sent' ? null : outcome.reason,
    outcome.kind === 'sent' ? now : null,
  ]);
}
