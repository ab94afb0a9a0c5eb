import assert from 'node:assert/strict';
import type { Sealer } from '../src/base/seal.ts';
import { MAIL_SECRETS } from '../src/business/notifications/mail/outbox.ts';
import type { MailSecrets } from '../src/business/notifications/mail/template.ts';
import type { Pool } from '../src/db/pool.ts';

/** Whoever has queued mails: a fixture, or a harness's installation. */
interface Mailing {
  readonly pool: Pool;
  readonly sealer: Sealer;
}

/** The links that were mailed by this template to an address, be it given or that of a person; the oldest first. */
export async function mailedLinks(
  { pool, sealer }: Mailing,
  template: keyof MailSecrets,
  address: string,
): Promise<string[]> {
  // What has been sent keeps no secret: then the sandbox has the text.
  const { rows } = await pool.pg.query<{ secrets_sealed: Buffer | null; body: string | null }>(
    `SELECT m.secrets_sealed, s.body FROM mails m LEFT JOIN users u ON u.id = m.user_id
       LEFT JOIN sandbox.mails s ON s.message_id LIKE m.id || '@%'
     WHERE m.template = $1 AND coalesce(m.recipient, u.email) = $2 ORDER BY m.id`,
    [template, address],
  );
  return rows.map(({ secrets_sealed, body }) =>
    secrets_sealed === null
      ? (/https?:\S+#\S+/.exec(body ?? '')?.[0] ?? '')
      : JSON.parse(sealer.openText(MAIL_SECRETS, secrets_sealed)).link,
  );
}

/** What follows # in the newest of them. */
export async function mailedToken(
  mailing: Mailing,
  template: keyof MailSecrets,
  address: string,
): Promise<string> {
  const link = (await mailedLinks(mailing, template, address)).at(-1);
  assert.ok(link, `${template} was not mailed to ${address}`);
  return link.slice(link.indexOf('#') + 1);
}

/** The templates of what was mailed to somebody, in order. */
export async function mailsOf({ pool }: Pick<Mailing, 'pool'>, address: string): Promise<string[]> {
  const { rows } = await pool.pg.query<{ template: string }>(
    `SELECT m.template FROM mails m LEFT JOIN users u ON u.id = m.user_id
       LEFT JOIN users o ON o.account_id = m.account_id AND o.role = 'owner'
     WHERE coalesce(m.recipient, u.email, o.email) = $1 ORDER BY m.id`,
    [address],
  );
  return rows.map((row) => row.template);
}
