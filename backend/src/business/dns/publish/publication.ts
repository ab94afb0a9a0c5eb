import { absoluteName } from '../../../base/dns/name.ts';
import { type RecordType, rdataText } from '../../../base/dns/record.ts';
import type { RrSet } from '../../../drivers/dns/port.ts';
import type { ZoneRecord } from '../zone/record.ts';

/** An ALIAS whose addresses are to be published at its name; null: there is none any more. */
export interface ZoneAlias {
  /** Absolute, without the root's dot. */
  readonly name: string;
  readonly ttl: number;
  /** Absolute, without the root's dot. */
  readonly target: string | null;
}

/** What is published of records: sets as name servers have them, and what has to be looked up first. */
export interface Publication {
  readonly rrsets: readonly RrSet[];
  readonly aliases: readonly ZoneAlias[];
}

/** Everything that is published of a zone's records; disabled ones are not. */
export function publicationOf(zone: string, records: readonly ZoneRecord[]): Publication {
  const published = records.filter(({ disabled }) => !disabled);
  const names = Map.groupBy(published, ({ name }) => name);
  return merged([...names].map(([name, ofName]) => publicationAt(zone, name, [], ofName)));
}

/**
 * What to publish at one name when its published records change: sets that differ, complete, and empty where there is
 * none any more. Where an ALIAS was or is, its A and AAAA sets are whatever comes of `aliases`, beside those listed.
 */
export function publicationAt(
  zone: string,
  name: string,
  before: readonly ZoneRecord[],
  after: readonly ZoneRecord[],
): Publication {
  const absolute = absoluteName(name, zone);
  const rrsets: RrSet[] = [];
  const aliases: ZoneAlias[] = [];
  for (const type of new Set([...before, ...after].map((record) => record.type))) {
    const was = rrset(absolute, type, before);
    const is = rrset(absolute, type, after);
    if (isSame(was, is)) continue;
    if (type === 'ALIAS') aliases.push(aliasOf(is));
    else rrsets.push(is);
  }
  return { rrsets, aliases };
}

export function merged(publications: readonly Publication[]): Publication {
  return {
    rrsets: publications.flatMap(({ rrsets }) => rrsets),
    aliases: publications.flatMap(({ aliases }) => aliases),
  };
}

function rrset(name: string, type: RecordType, records: readonly ZoneRecord[]): RrSet {
  const set = records.filter((record) => record.type === type);
  return { name, type, ttl: set[0]?.ttl ?? 0, records: set.map(rdataText).sort() };
}

function isSame(a: RrSet, b: RrSet): boolean {
  return a.ttl === b.ttl && a.records.join('\n') === b.records.join('\n');
}

function aliasOf({ name, ttl, records }: RrSet): ZoneAlias {
  return { name, ttl, target: records[0]?.slice(0, -1) ?? null };
}
