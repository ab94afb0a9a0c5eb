import type { Instant } from '../../../base/time.ts';
import type { Executor, Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { QuarantineReason } from './incoming.ts';

/** A mail that waits for an operator to decide. */
export interface QuarantinedMail {
  readonly id: string;
  readonly reason: QuarantineReason;
  readonly from_address: string;
  readonly from_name: string;
  readonly recipient: string;
  readonly subject: string;
  readonly excerpt: string;
  readonly size: number;
  readonly authenticated_domain: string | null;
  readonly ticket_id: string | null;
  readonly ticket_number: bigint | null;
  readonly received_at: Instant;
}

const list = (order: 'asc' | 'desc') =>
  statement<QuarantinedMail>(
    `list_quarantine_${order}`,
    `SELECT m.id, m.reason, m.from_address, m.from_name, m.recipient, m.subject, m.excerpt, m.size,
       m.authenticated_domain, m.ticket_id, t.number AS ticket_number, m.received_at
     FROM incoming_mails m LEFT JOIN tickets t ON t.id = m.ticket_id
     WHERE m.state = 'quarantined' ORDER BY m.received_at ${order}, m.id ${order} LIMIT $1 OFFSET $2`,
  );
const listed = { asc: list('asc'), desc: list('desc') };
const count = statement<{ total: bigint }>(
  'count_quarantine',
  "SELECT count(*) AS total FROM incoming_mails WHERE state = 'quarantined'",
);

export async function listQuarantine(
  db: Executor,
  page: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
): Promise<{ readonly mails: readonly QuarantinedMail[]; readonly total: number }> {
  const [mails, [counted]] = await Promise.all([
    db.run(listed[page.order], [page.limit, page.offset]),
    db.run(count, []),
  ]);
  return { mails, total: Number(counted?.total ?? 0n) };
}

const expire = statement<object>(
  'expire_quarantine',
  `UPDATE incoming_mails SET state = 'discarded', content = NULL, handled_at = $2
   WHERE state = 'quarantined' AND received_at < $1`,
);

/** Throws away what nobody wanted for so long. */
export async function discardBefore(pool: Pool, moment: Instant, now: Instant): Promise<void> {
  await pool.run(expire, [moment, now]);
}
