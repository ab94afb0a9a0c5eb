import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { RrSet } from '../port.ts';

/** A zone of the sandbox's books, without its records. */
export interface ZoneRow {
  readonly zone: string;
  readonly serial: bigint;
  readonly nameservers: string[];
  readonly signing_key: Buffer | null;
}

const COLUMNS = 'zone, serial, nameservers, signing_key';

export const one = statement<ZoneRow>(
  'sandbox_dns_zone',
  `SELECT ${COLUMNS} FROM sandbox.dns_zones WHERE zone = $1`,
);

export const locked = statement<ZoneRow>(
  'sandbox_dns_lock_zone',
  `SELECT ${COLUMNS} FROM sandbox.dns_zones WHERE zone = $1 FOR UPDATE`,
);

/** The longest of the names that is a zone here. */
export const closest = statement<ZoneRow>(
  'sandbox_dns_closest_zone',
  `SELECT ${COLUMNS} FROM sandbox.dns_zones WHERE zone = ANY($1::text[]) ORDER BY length(zone) DESC LIMIT 1`,
);

export const all = statement<{ zone: string }>(
  'sandbox_dns_zones',
  'SELECT zone FROM sandbox.dns_zones ORDER BY zone',
);

const rrsets = statement<RrSet>(
  'sandbox_dns_rrsets',
  'SELECT name, type, ttl, records FROM sandbox.dns_rrsets WHERE zone = $1',
);

export const make = statement<object>(
  'sandbox_dns_make_zone',
  `INSERT INTO sandbox.dns_zones (zone, serial, nameservers, signing_key, created_at, changed_at)
   VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (zone) DO NOTHING`,
);

const change = statement<{ serial: bigint }>(
  'sandbox_dns_change_zone',
  `UPDATE sandbox.dns_zones SET serial = (serial + 1) % 4294967296, nameservers = $2, signing_key = $3, changed_at = $4
   WHERE zone = $1 RETURNING serial`,
);

export const remove = statement<object>(
  'sandbox_dns_remove_zone',
  'DELETE FROM sandbox.dns_zones WHERE zone = $1',
);

const WANTED = `SELECT w.name, w.type, w.ttl, ARRAY(SELECT jsonb_array_elements_text(w.records)) AS records
  FROM jsonb_to_recordset($2::jsonb) AS w(name text, type text, ttl integer, records jsonb)`;

/** Writes those that differ, removes those that are empty, and with $3 those that are not named. */
const put = statement<{ changed: number }>(
  'sandbox_dns_put_rrsets',
  `WITH wanted AS (${WANTED}),
     gone AS (
       DELETE FROM sandbox.dns_rrsets r WHERE zone = $1 AND (
         (r.name, r.type) IN (SELECT name, type FROM wanted WHERE records = '{}')
         OR ($3::boolean AND (r.name, r.type) NOT IN (SELECT name, type FROM wanted)))
       RETURNING 1),
     written AS (
       INSERT INTO sandbox.dns_rrsets AS r (zone, name, type, ttl, records)
       SELECT $1, name, type, ttl, records FROM wanted WHERE records <> '{}'
       ON CONFLICT (zone, name, type) DO UPDATE SET ttl = excluded.ttl, records = excluded.records
         WHERE (r.ttl, r.records) IS DISTINCT FROM (excluded.ttl, excluded.records)
       RETURNING 1)
   SELECT ((SELECT count(*) FROM gone) + (SELECT count(*) FROM written))::int AS changed`,
);

/** One of the names $2 where an alias stands beside other records, or at the apex (RFC 2181 §10.1). */
export const misplacedAliases = statement<{ name: string }>(
  'sandbox_dns_misplaced_aliases',
  `SELECT name FROM sandbox.dns_rrsets WHERE zone = $1 AND name = ANY($2::text[]) GROUP BY name
   HAVING bool_or(type = 'CNAME') AND (count(*) > 1 OR name = $1) LIMIT 1`,
);

export async function readRrSets(db: Executor, zone: string): Promise<readonly RrSet[]> {
  return await db.run(rrsets, [zone]);
}

/** How many record sets were changed. With `only`, none but these are left. */
export async function putRrSets(
  db: Executor,
  zone: string,
  wanted: readonly RrSet[],
  only: boolean,
): Promise<number> {
  const [row] = await db.run(put, [zone, JSON.stringify(wanted), only]);
  return row?.changed ?? 0;
}

/** Counts the serial up. */
export async function changeZone(db: Executor, row: ZoneRow, now: Instant): Promise<ZoneRow> {
  const { zone, nameservers, signing_key } = row;
  const [changed] = await db.run(change, [zone, nameservers, signing_key, now]);
  return { ...row, serial: changed?.serial ?? row.serial };
}
