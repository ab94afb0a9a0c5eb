import { writeZoneFile } from '../../base/dns/zone-file-writer.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { ZoneRevision } from '../dns/history/revision.ts';
import { authorityOf } from '../dns/zone/authority.ts';
import { ZONE_COLUMNS, type Zone } from '../dns/zone/zone.ts';
import { recordsOf } from '../dns/zone/zone-records.ts';
import { plainJson } from './table-file.ts';

/** Zones read at a time. */
const BATCH = 100;
/** Revisions; each may be as large as a zone. */
const FEW = 20;

const OF_ACCOUNT = `FROM services s JOIN zones z ON z.domain_id = s.id
  WHERE s.account_id = $1 AND s.product = 'domain' AND z.removed_at IS NULL`;

const page = statement<Zone>(
  'export_zones',
  `SELECT ${ZONE_COLUMNS} ${OF_ACCOUNT} AND z.name > $2 ORDER BY z.name LIMIT ${BATCH}`,
);
const revisions = statement<ZoneRevision & { readonly zone_id: string }>(
  'export_zone_revisions',
  `SELECT zone_id, id, version, user_id, comment, diff, dnssec, created_at FROM zone_revisions
   WHERE zone_id = $1 AND version > $2 ORDER BY version LIMIT ${FEW}`,
);

/** The zones that are hosted for an account, by their names. */
export async function* zonesOf(db: Executor, accountId: string): AsyncGenerator<Zone> {
  for (let last = ''; ; ) {
    const zones = await db.run(page, [accountId, last]);
    yield* zones;
    const newest = zones.at(-1);
    if (newest === undefined || zones.length < BATCH) return;
    last = newest.name;
  }
}

/** A zone as name servers and other providers read it (RFC 1035 §5). */
export async function* zoneFile(db: Executor, zone: Zone): AsyncGenerator<string> {
  yield writeZoneFile(zone.name, zone.default_ttl, authorityOf(zone), await recordsOf(db, zone.id));
}

/** What became of a zone, revision by revision, as far as that is kept. */
export async function* revisionLines(db: Executor, { id, name }: Zone): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const rows = await db.run(revisions, [id, last]);
    for (const { zone_id: _, ...row } of rows) yield `${plainJson({ zone: name, ...row })}\n`;
    const newest = rows.at(-1);
    if (newest === undefined || rows.length < FEW) return;
    last = newest.version;
  }
}
