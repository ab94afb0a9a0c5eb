import { MAIL_SECRETS } from '../src/business/notifications/mail/outbox.ts';
import type { MailTemplate } from '../src/business/notifications/mail/template.ts';
import type { MailValues } from '../src/business/notifications/mail/text.ts';
import type { openFixture } from './fixture.ts';

type Fixture = Pick<Awaited<ReturnType<typeof openFixture>>, 'pool' | 'sealer'>;

/** A mail in the outbox; `values` are its variables and its secrets, opened. */
export interface OutboxMail<T extends MailTemplate = MailTemplate> {
  readonly id: string;
  readonly cause: string;
  readonly template: T;
  readonly account_id: string | null;
  readonly user_id: string | null;
  readonly recipient: string | null;
  readonly locale: string | null;
  readonly state: 'queued' | 'sent' | 'failed';
  readonly attempts: number;
  readonly due_at: Temporal.Instant;
  readonly failure: string | null;
  readonly sent_at: Temporal.Instant | null;
  readonly values: MailValues<T>;
}

/**
 * The mails of a template that were queued, in that order; of one account, or to one address that was given with
 * the mail, when asked. The secrets of those that are no longer queued are gone.
 */
export async function outbox<T extends MailTemplate>(
  { pool, sealer }: Fixture,
  template: T,
  { accountId, recipient }: { accountId?: string; recipient?: string } = {},
): Promise<OutboxMail<T>[]> {
  const { rows } = await pool.pg.query(
    `SELECT * FROM mails WHERE template = $1 AND ($2::uuid IS NULL OR account_id = $2)
       AND ($3::text IS NULL OR recipient = $3) ORDER BY created_at, id`,
    [template, accountId ?? null, recipient ?? null],
  );
  return rows.map(({ variables, secrets_sealed, ...mail }) => {
    const secrets = secrets_sealed === null ? {} : JSON.parse(sealer.openText(MAIL_SECRETS, secrets_sealed));
    return { ...mail, values: { ...variables, ...secrets } };
  });
}
