import { readableCode } from '../../../base/readable-code.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

const CODE_LENGTH = 8;

/** The path of an affiliate's link, before the code. */
export const REFERRAL_PATH = '/r';

const find = statement<{ code: string }>(
  'find_affiliate',
  'SELECT code FROM affiliates WHERE account_id = $1',
);
const insert = statement<{ code: string }>(
  'insert_affiliate',
  `INSERT INTO affiliates (account_id, code, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING code`,
);

/** The account's affiliate code, made at the first asking; the same for ever after. */
export async function ensureAffiliateCode(db: Executor, accountId: string, now: Instant): Promise<string> {
  for (;;) {
    const [known] = await db.run(find, [accountId]);
    if (known !== undefined) return known.code;
    // Nothing comes back when somebody has the code, or another request was quicker: then look again.
    const [made] = await db.run(insert, [accountId, readableCode(CODE_LENGTH).toLowerCase(), now]);
    if (made !== undefined) return made.code;
  }
}

/** What an affiliate passes on. */
export function referralLink(publicUrl: string, code: string): string {
  return `${publicUrl}${REFERRAL_PATH}/${code}`;
}
