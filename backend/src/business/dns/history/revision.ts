import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { ZoneDiff } from '../plan/plan.ts';
import type { ZoneRecord } from '../zone/record.ts';
import type { Zone } from '../zone/zone.ts';
import { recordsOf } from '../zone/zone-records.ts';

/** What became of a zone at once. */
export interface ZoneRevision {
  readonly id: string;
  readonly version: number;
  /** null: the system. */
  readonly user_id: string | null;
  readonly comment: string | null;
  readonly diff: ZoneDiff;
  /** Whether signing was asked for with it, or its end; null: neither. */
  readonly dnssec: boolean | null;
  readonly created_at: Instant;
}

/** A revision as a list shows it: the first hundred of each kind, and how many of them it has. */
export interface ListedRevision extends ZoneRevision {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** Of a list's diffs; the whole one is given for a revision alone. */
export const MOST_LISTED = 100;

export const addRevision = statement<object>(
  'add_zone_revision',
  `INSERT INTO zone_revisions (id, zone_id, version, user_id, comment, diff, dnssec, task_id, created_at, octets)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

const one = statement<ZoneRevision>(
  'zone_revision',
  `SELECT id, version, user_id, comment, diff, dnssec, created_at FROM zone_revisions WHERE zone_id = $1 AND id = $2`,
);
// What a record was before the first of them that touched it. Worked out where the revisions are: of a zone that is
// replaced every minute there are gigabytes, of which nobody but the database ever has more than one at once.
const before = statement<{ id: string; record: ZoneRecord | null }>(
  'zone_records_before_revisions',
  `SELECT f.id, f.record FROM (SELECT DISTINCT ON (e.id) e.id, e.record FROM (
     SELECT r.version, x.record->>'id' AS id, NULL::jsonb AS record
       FROM zone_revisions r, jsonb_array_elements(r.diff->'added') x(record) WHERE r.zone_id = $1 AND r.version > $2
     UNION ALL SELECT r.version, x.record->>'id', x.record
       FROM zone_revisions r, jsonb_array_elements(r.diff->'removed') x(record) WHERE r.zone_id = $1 AND r.version > $2
     UNION ALL SELECT r.version, x.change->'before'->>'id', x.change->'before'
       FROM zone_revisions r, jsonb_array_elements(r.diff->'changed') x(change) WHERE r.zone_id = $1 AND r.version > $2) e
   ORDER BY e.id, e.version) f
   WHERE f.record IS NOT NULL OR EXISTS (SELECT FROM zone_records z WHERE z.id = f.id::uuid)`,
);

const first = (kind: string) => `jsonb_path_query_array(diff, '$.${kind}[0 to ${MOST_LISTED - 1}]')`;
const page = statement<ListedRevision>(
  'zone_revisions_page',
  `SELECT id, version, user_id, comment, dnssec, created_at,
     jsonb_build_object('added', ${first('added')}, 'removed', ${first('removed')}, 'changed', ${first('changed')},
       'unchanged', diff->'unchanged') AS diff,
     jsonb_array_length(diff->'added') AS added, jsonb_array_length(diff->'removed') AS removed,
     jsonb_array_length(diff->'changed') AS changed
   FROM zone_revisions WHERE zone_id = $1 ORDER BY version DESC OFFSET $2 LIMIT $3`,
);

const oldest = statement<{ version: number | null }>(
  'oldest_zone_revision',
  'SELECT min(version) AS version FROM zone_revisions WHERE zone_id = $1',
);

/** How many revisions of a zone are kept: the last ones, without gaps, since only the oldest are forgotten. */
export async function revisionsKept(
  db: Executor,
  { id, version }: Pick<Zone, 'id' | 'version'>,
): Promise<number> {
  const [first] = await db.run(oldest, [id]);
  return first?.version == null ? 0 : version - first.version + 1;
}

/** What a diff takes, as the JSON that it is kept as. */
export function octetsOf(diff: string): number {
  return Buffer.byteLength(diff);
}

/** null: the zone has no such revision, or it was forgotten. */
export async function findRevision(db: Executor, zoneId: string, id: string): Promise<ZoneRevision | null> {
  return (await db.run(one, [zoneId, id]))[0] ?? null;
}

/** The newest first. */
export async function pageOfRevisions(
  db: Executor,
  zoneId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly ListedRevision[]> {
  return await db.run(page, [zoneId, offset, limit]);
}

/** All records as they were at a revision: those of today, with everything since then undone. */
export async function recordsAtRevision(
  db: Executor,
  zone: Pick<Zone, 'id'>,
  { version }: Pick<ZoneRevision, 'version'>,
): Promise<readonly ZoneRecord[]> {
  const records = new Map((await recordsOf(db, zone.id)).map((record) => [record.id, record]));
  for (const { id, record } of await db.run(before, [zone.id, version])) {
    if (record === null) records.delete(id);
    else records.set(id, record);
  }
  return [...records.values()].sort(inOrder);
}

function inOrder(a: ZoneRecord, b: ZoneRecord): number {
  return order(a.name, b.name) || order(a.type, b.type) || order(a.content, b.content) || order(a.id, b.id);
}

/** By code points, as the database's C collation sorts. */
function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
