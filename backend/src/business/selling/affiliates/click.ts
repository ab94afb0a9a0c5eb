import { networkOf } from '../../../base/ip.ts';
import { type Instant, utcDay } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { attempt, bucketOf } from '../../core/access/attempt.ts';

const MOST_A_MINUTE = 10;

const count = statement<object>(
  'count_click',
  `INSERT INTO affiliate_clicks (account_id, day, clicks) SELECT account_id, $2, 1 FROM affiliates WHERE code = $1
   ON CONFLICT (account_id, day) DO UPDATE SET clicks = affiliate_clicks.clicks + 1`,
);

/** Counts a visitor of an affiliate's link: ten a minute from one place at most, so that machines do not pump it up. */
export async function countClick(db: Executor, code: string, ip: string, now: Instant): Promise<void> {
  const bucket = bucketOf('referral-click', networkOf(ip));
  const tooMany = await attempt(db, [{ bucket, limit: MOST_A_MINUTE, windowSeconds: 60 }], now);
  if (tooMany === null) await db.run(count, [code, utcDay(now)]);
}
