import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { SiteUsage } from '../../../drivers/webserver/port.ts';

export interface UsageDay {
  readonly day: string;
  readonly disk: number;
  readonly database_bytes: bigint;
  readonly traffic_bytes: bigint;
  readonly requests: bigint;
}

const history = statement<UsageDay>(
  'webspace_usage_history',
  `SELECT day::text AS day, disk, database_bytes, traffic_bytes, requests FROM webspace_usage
   WHERE webspace_id = $1 AND day BETWEEN $2::date AND $3::date ORDER BY day`,
);
const traffic = statement<{ bytes: bigint }>(
  'webspace_traffic_since',
  `SELECT coalesce(sum(traffic_bytes), 0)::bigint AS bytes FROM webspace_usage WHERE webspace_id = $1 AND day >= $2::date`,
);

/** What a webspace used, day by day, both days included. Days as `YYYY-MM-DD`. */
export function usageHistory(
  db: Executor,
  webspaceId: string,
  from: string,
  to: string,
): Promise<UsageDay[]> {
  return db.run(history, [webspaceId, from, to]);
}

/** The bytes that it sent in this month (UTC), as they were last counted. */
export async function trafficOfMonth(db: Executor, webspaceId: string, now: Instant): Promise<bigint> {
  const [row] = await db.run(traffic, [webspaceId, `${now.toString().slice(0, 7)}-01`]);
  return row?.bytes ?? 0n;
}

const keepDays = statement<object>(
  'keep_webspace_usage',
  `INSERT INTO webspace_usage AS u (webspace_id, day, disk, database_bytes, traffic_bytes, requests)
   SELECT n.id, n.day, CASE WHEN n.day = $7::date THEN n.disk ELSE 0 END, n.database_bytes, n.traffic, n.requests
   FROM unnest($1::uuid[], $2::date[], $3::int[], $4::bigint[], $5::bigint[], $6::bigint[])
     AS n(id, day, disk, database_bytes, traffic, requests)
   JOIN webspaces w ON w.id = n.id
   ON CONFLICT (webspace_id, day) DO UPDATE SET
     disk = CASE WHEN excluded.day = $7::date THEN excluded.disk ELSE u.disk END,
     database_bytes = CASE WHEN excluded.day = $7::date THEN excluded.database_bytes ELSE u.database_bytes END,
     -- A log that was rotated away must not make less of a day that was counted.
     traffic_bytes = greatest(u.traffic_bytes, excluded.traffic_bytes),
     requests = greatest(u.requests, excluded.requests)`,
);

export interface NearlyFull {
  readonly id: string;
  readonly account_id: string;
}

// Who was warned is warned again only after it was well below once more.
const keepSample = statement<NearlyFull>(
  'keep_webspace_sample',
  `WITH sample AS (SELECT * FROM unnest($1::uuid[], $2::int[], $3::bigint[]) AS n(id, disk_used, inodes_used)),
   before AS (SELECT w.id, w.warned FROM webspaces w JOIN sample n ON n.id = w.id),
   kept AS (
     UPDATE webspaces w SET disk_used = n.disk_used, inodes_used = n.inodes_used, sampled_at = $4,
       warned = CASE WHEN n.disk_used::bigint * 10 >= w.disk::bigint * 9 THEN true
                     WHEN n.disk_used::bigint * 10 < w.disk::bigint * 8 THEN false ELSE w.warned END
     FROM sample n WHERE w.id = n.id AND w.removed_at IS NULL RETURNING w.id, w.warned)
   SELECT s.id, s.account_id FROM kept k JOIN before b ON b.id = k.id JOIN services s ON s.id = k.id
   WHERE k.warned AND NOT b.warned ORDER BY s.account_id, s.id`,
);

/** Keeps what a host said that its webspaces use; those whose disks have become nearly full by it. */
export async function keepUsage(
  db: Executor,
  usages: readonly SiteUsage[],
  now: Instant,
): Promise<NearlyFull[]> {
  const days = usages.flatMap((usage) => usage.days.map((day) => ({ ...usage, ...day })));
  await db.run(keepDays, [
    days.map((one) => one.webspaceId),
    days.map((one) => one.day),
    days.map((one) => one.diskUsedMib),
    days.map((one) => one.databaseBytes),
    days.map((one) => one.trafficBytes),
    days.map((one) => one.requests),
    now.toString().slice(0, 10),
  ]);
  return await db.run(keepSample, [
    usages.map((one) => one.webspaceId),
    usages.map((one) => one.diskUsedMib),
    usages.map((one) => one.inodesUsed),
    now,
  ]);
}
