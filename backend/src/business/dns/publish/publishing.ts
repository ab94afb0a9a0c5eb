import { relativeName } from '../../../base/dns/name.ts';
import type { RrSet, Publication as Seen, ServedZone } from '../../../drivers/dns/port.ts';
import type { Resolver } from '../../../drivers/resolver/port.ts';
import { MOST_ZONE_ALIASES } from '../plan/plan.ts';
import { addressesOf, aliasSets, type KnownAlias } from './alias.ts';
import type { LeasedZone } from './lease.ts';
import type { Unpublished } from './unpublished.ts';

/** What a run of the publishing job works with. */
export interface Publishing extends LeasedZone {
  /** null: the zone is to go. */
  readonly unpublished: Unpublished | null;
  /** What its ALIAS records were published as before. */
  readonly known: readonly KnownAlias[];
  /** What customers watch of it. */
  readonly tasks: readonly string[];
}

/** What came of it. */
export interface Commanded {
  /** null: it is gone. */
  readonly served: ServedZone | null;
  /** What its ALIAS records are published as now. */
  readonly resolved: readonly KnownAlias[];
  /** What name servers said right after it; null: no answer. */
  readonly publication: Seen | null;
}

/** What is looked up at the same time: as many as a zone may have, so that all of them take as long as one. */
const AT_ONCE = MOST_ZONE_ALIASES;

/**
 * The sets that are to be published, with the addresses of ALIAS records. Where nobody can say them now, they stay what
 * they were; an maintenance job asks again.
 */
export async function wantedSets(
  resolver: Resolver,
  { zone, known }: Publishing,
  { rrsets, aliases, whole }: Unpublished,
): Promise<{ readonly rrsets: readonly RrSet[]; readonly resolved: readonly KnownAlias[] }> {
  const sets: RrSet[] = [...rrsets];
  const resolved: KnownAlias[] = [];
  const before = new Map(known.map((alias) => [`${alias.name} ${alias.target}`, alias.addresses]));
  for (let at = 0; at < aliases.length; at += AT_ONCE) {
    await Promise.all(
      aliases.slice(at, at + AT_ONCE).map(async (alias) => {
        const { target } = alias;
        if (target === null) return;
        const name = relativeName(alias.name, zone.name);
        const found = await addressesOf(resolver, target);
        const addresses = found ?? before.get(`${name} ${target}`) ?? null;
        // Remembered with none, it is asked for again; of one that was, nothing is taken away.
        resolved.push({ name, target, addresses: addresses ?? [] });
        if (addresses !== null) sets.push(...aliasSets(alias, addresses));
      }),
    );
  }
  // Of a whole zone, what is not named is not there.
  return { rrsets: whole ? sets.filter(({ records }) => records.length > 0) : sets, resolved };
}
