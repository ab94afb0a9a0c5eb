import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** That a mail was sent, or was to be: what it was about, not what it said. */
export interface PastMail {
  readonly id: string;
  readonly template: string;
  readonly state: 'queued' | 'sent' | 'failed';
  readonly failure: string | null;
  readonly created_at: Instant;
  readonly sent_at: Instant | null;
}

const newest = statement<PastMail>(
  'newest_mails',
  `SELECT id, template, state, failure, created_at, sent_at FROM mails WHERE account_id = $1
   ORDER BY created_at DESC, id DESC LIMIT $2`,
);

/** An account's mails, the newest first. */
export function newestMails(db: Executor, accountId: string, limit: number): Promise<PastMail[]> {
  return db.run(newest, [accountId, limit]);
}
