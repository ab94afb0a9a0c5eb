import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { recordsNeeded, type ZoneDiff } from '../plan/plan.ts';
import type { ZoneInput, ZoneRecord } from './record.ts';
import type { Zone } from './zone.ts';

const COLUMNS = 'id, name, type, content, ttl, priority, weight, port, disabled, comment, managed_by';

const all = statement<ZoneRecord>(
  'zone_records',
  `SELECT ${COLUMNS} FROM zone_records WHERE zone_id = $1 ORDER BY name, type, content, id`,
);
const byId = statement<ZoneRecord>(
  'zone_records_by_id',
  `SELECT ${COLUMNS} FROM zone_records WHERE zone_id = $1 AND id = ANY($2::uuid[])`,
);
const atNames = statement<ZoneRecord>(
  'zone_records_at',
  `SELECT ${COLUMNS} FROM zone_records WHERE zone_id = $1 AND name = ANY($2::text[])`,
);
const needed = statement<ZoneRecord>(
  'zone_records_needed',
  `SELECT ${COLUMNS} FROM zone_records WHERE zone_id = $1 AND name = ANY($2::text[])
   UNION SELECT ${COLUMNS} FROM zone_records
     WHERE zone_id = $1 AND content = ANY($3::text[]) AND length(content) <= 1024`,
);

const page = statement<ZoneRecord & { total: number }>(
  'zone_records_page',
  `SELECT ${COLUMNS}, count(*) OVER ()::int AS total FROM zone_records
   WHERE zone_id = $1 AND ($2::text IS NULL OR name = $2) AND ($3::text IS NULL OR type = $3)
   ORDER BY name, type, content, id OFFSET $4 LIMIT $5`,
);
const count = statement<{ total: number }>(
  'zone_records_count',
  `SELECT count(*)::int AS total FROM zone_records
   WHERE zone_id = $1 AND ($2::text IS NULL OR name = $2) AND ($3::text IS NULL OR type = $3)`,
);

const remove = statement<object>(
  'remove_zone_records',
  'DELETE FROM zone_records WHERE zone_id = $1 AND id = ANY($2::uuid[])',
);
// JSON rather than an array for each column: there may be twenty thousand, of eleven columns.
const put = statement<object>(
  'put_zone_records',
  `INSERT INTO zone_records (zone_id, ${COLUMNS})
   SELECT zone_id, ${COLUMNS} FROM json_to_recordset($1::json) r(zone_id uuid, id uuid, name text, type text, content text,
     ttl integer, priority integer, weight integer, port integer, disabled boolean, comment text, managed_by text)
   ON CONFLICT (id) DO UPDATE SET name = excluded.name, type = excluded.type, content = excluded.content,
     ttl = excluded.ttl, priority = excluded.priority, weight = excluded.weight, port = excluded.port,
     disabled = excluded.disabled, comment = excluded.comment, managed_by = excluded.managed_by
   WHERE zone_records.zone_id = excluded.zone_id`,
);

/** All records of a zone, in the order in which they are shown. */
export async function recordsOf(db: Executor, zoneId: string): Promise<readonly ZoneRecord[]> {
  return await db.run(all, [zoneId]);
}

export async function recordsAt(
  db: Executor,
  zoneId: string,
  names: readonly string[],
): Promise<readonly ZoneRecord[]> {
  return await db.run(atNames, [zoneId, names]);
}

/** What `planChange` has to be given for this input: all of a zone only where all of it is replaced. */
export async function recordsFor(
  db: Executor,
  zone: Pick<Zone, 'id' | 'name'>,
  input: ZoneInput,
): Promise<readonly ZoneRecord[]> {
  if (!('changes' in input)) return await recordsOf(db, zone.id);
  const ids = input.changes.flatMap((change) => (change.action === 'create' ? [] : [change.id]));
  const named = ids.length === 0 ? [] : await db.run(byId, [zone.id, ids]);
  const near = recordsNeeded(zone.name, input.changes, named);
  if (near === null) return await recordsOf(db, zone.id);
  const others = await db.run(needed, [zone.id, near.names, near.contents]);
  return [...new Map([...named, ...others].map((record) => [record.id, record])).values()];
}

export interface RecordFilter {
  readonly name: string | null;
  readonly type: string | null;
}

/** A page of a zone's records, and how many match. */
export async function pageOfRecords(
  db: Executor,
  zoneId: string,
  { name, type }: RecordFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly records: readonly ZoneRecord[]; readonly total: number }> {
  const found = await db.run(page, [zoneId, name, type, offset, limit]);
  const total = found[0]?.total ?? (await db.run(count, [zoneId, name, type]))[0]?.total ?? 0;
  return { records: found, total };
}

/** Makes the records of a zone be as they are after a change. */
export async function writeDiff(
  tx: Transaction,
  zoneId: string,
  { removed, added, changed }: ZoneDiff,
): Promise<void> {
  if (removed.length > 0) await tx.run(remove, [zoneId, removed.map(({ id }) => id)]);
  const records = [...added, ...changed.map(({ after }) => after)];
  await addRecords(
    tx,
    records.map((record) => ({ zone_id: zoneId, ...record })),
  );
}

/** Adds records of any zones; those that are there by their ids become as they are given. */
export async function addRecords(
  tx: Transaction,
  records: readonly (ZoneRecord & { readonly zone_id: string })[],
): Promise<void> {
  if (records.length > 0) await tx.run(put, [JSON.stringify(records)]);
}
