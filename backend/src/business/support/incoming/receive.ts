import { randomUUIDv7 } from 'node:crypto';
import { sha256 } from '../../../base/canonical.ts';
import type { Instant } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import type { ReceivedMail } from '../../../drivers/inbox/port.ts';
import { enqueue } from '../../../work/queue.ts';

/** The job that looks at a mail that came. */
export const INCOMING = 'tickets.incoming';

const insert = statement<{ id: string }>(
  'insert_incoming_mail',
  `INSERT INTO incoming_mails (id, digest, sender, recipient, size, authenticated_domain, content, state, received_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 'received', $8) ON CONFLICT (digest) DO NOTHING RETURNING id`,
);

/** Keeps a mail for a job to look at. Handed over twice, it is here once. */
export async function receiveMail(pool: Pool, mail: ReceivedMail, now: Instant): Promise<void> {
  const recipient = mail.recipient.toLowerCase().slice(0, 320);
  const digest = sha256(Buffer.concat([sha256(recipient), sha256(mail.content)]));
  await transaction(pool, async (tx) => {
    const [kept] = await tx.run(insert, [
      randomUUIDv7(),
      digest,
      mail.sender.slice(0, 320),
      recipient,
      mail.size,
      mail.authenticatedDomain,
      mail.content,
      now,
    ]);
    if (kept === undefined) return;
    await enqueue(tx, [{ name: INCOMING, payload: { mail_id: kept.id }, key: `${INCOMING}:${kept.id}` }]);
  });
}
