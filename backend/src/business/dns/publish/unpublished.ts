import { absoluteName } from '../../../base/dns/name.ts';
import { rdataText } from '../../../base/dns/record.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { RrSet } from '../../../drivers/dns/port.ts';
import type { ZoneRecord } from '../zone/record.ts';
import type { Zone } from '../zone/zone.ts';
import { recordsAt, recordsOf } from '../zone/zone-records.ts';
import { type Publication, publicationOf, type ZoneAlias } from './publication.ts';

/** What a run of the publishing job is to bring to the name servers. */
export interface Unpublished extends Publication {
  /** All of the zone; otherwise these sets only. */
  readonly whole: boolean;
}

const listed = statement<{ name: string; type: string }>(
  'unpublished_of_zone',
  'SELECT name, type FROM zone_unpublished WHERE zone_id = $1 ORDER BY name, type',
);
const published = statement<object>(
  'zone_was_published',
  'DELETE FROM zone_unpublished WHERE zone_id = $1 AND version <= $2',
);

const ADDRESS_TYPES = ['A', 'AAAA'];

/** What name servers do not have of a zone, as the books have it now. */
export async function unpublishedOf(db: Executor, zone: Zone): Promise<Unpublished> {
  if (zone.whole_version > zone.published_version) {
    return { whole: true, ...publicationOf(zone.name, await recordsOf(db, zone.id)) };
  }
  const touched = await db.run(listed, [zone.id]);
  const records = await recordsAt(db, zone.id, [...new Set(touched.map(({ name }) => name))]);
  return { whole: false, ...setsOf(zone.name, touched, records) };
}

/** Everything up to this version is at the name server. */
export async function forgetUnpublished(db: Executor, zoneId: string, version: number): Promise<void> {
  await db.run(published, [zoneId, version]);
}

function setsOf(
  zone: string,
  touched: readonly { readonly name: string; readonly type: string }[],
  records: readonly ZoneRecord[],
): Publication {
  const rrsets: RrSet[] = [];
  const aliases: ZoneAlias[] = [];
  for (const [name, types] of Map.groupBy(touched, (one) => one.name)) {
    const there = records.filter((record) => record.name === name && !record.disabled);
    const alias = there.find(({ type }) => type === 'ALIAS');
    const absolute = absoluteName(name, zone);
    const wanted = new Set(types.map(({ type }) => type));
    // Its addresses are at the name servers what the ALIAS is in the books; so is their absence.
    if (wanted.delete('ALIAS')) for (const type of ADDRESS_TYPES) wanted.add(type);
    if (alias !== undefined && ADDRESS_TYPES.some((type) => wanted.delete(type))) {
      for (const type of ADDRESS_TYPES) wanted.delete(type);
      aliases.push({ name: absolute, ttl: alias.ttl, target: alias.content.slice(0, -1) });
    }
    for (const type of wanted) {
      const set = there.filter((record) => record.type === type);
      rrsets.push({ name: absolute, type, ttl: set[0]?.ttl ?? 0, records: set.map(rdataText).sort() });
    }
  }
  return { rrsets, aliases };
}
