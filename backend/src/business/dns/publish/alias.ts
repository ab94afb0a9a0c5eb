import { isGlobalUnicast } from '../../../base/global-address.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { RrSet } from '../../../drivers/dns/port.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import type { Resolver } from '../../../drivers/resolver/port.ts';
import type { ZoneAlias } from './publication.ts';

/** An ALIAS with the addresses that it is published as; null: nobody could say them. */
export interface ResolvedAlias extends ZoneAlias {
  readonly addresses: readonly string[] | null;
}

/** What it was published as before. */
export interface KnownAlias {
  readonly name: string;
  readonly target: string;
  readonly addresses: readonly string[];
}

const DEADLINE_MS = 5_000;
/** What anybody's name server can make us publish with one name. */
const MOST_ADDRESSES = 16;
/** Whatever the TTL of the target. */
export const LOOKED_UP_EVERY = { minutes: 5 };

const known = statement<KnownAlias>(
  'known_aliases',
  'SELECT name, target, addresses FROM zone_aliases WHERE zone_id = $1',
);
const remember = statement<object>(
  'remember_alias',
  `INSERT INTO zone_aliases (zone_id, name, target, addresses, due_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (zone_id, name) DO UPDATE SET target = excluded.target, addresses = excluded.addresses,
     due_at = excluded.due_at`,
);
const forget = statement<object>(
  'forget_aliases',
  `DELETE FROM zone_aliases a WHERE zone_id = $1 AND NOT EXISTS (SELECT FROM zone_records r
     WHERE r.zone_id = a.zone_id AND r.name = a.name AND r.type = 'ALIAS' AND NOT r.disabled)`,
);

/** Names are relative to the zone, as records name them. */
export async function knownAliases(db: Executor, zoneId: string): Promise<readonly KnownAlias[]> {
  return await db.run(known, [zoneId]);
}

export async function rememberAliases(
  db: Executor,
  zoneId: string,
  aliases: readonly KnownAlias[],
  now: Instant,
): Promise<void> {
  const dueAt = now.add(LOOKED_UP_EVERY);
  for (const { name, target, addresses } of aliases)
    await db.run(remember, [zoneId, name, target, addresses, dueAt]);
  await db.run(forget, [zoneId]);
}

/** The world's addresses of a target (rule A11), in one order; null: no resolver answers. */
export async function addressesOf(resolver: Resolver, target: string): Promise<readonly string[] | null> {
  try {
    const found = await resolver.addresses(target, DEADLINE_MS);
    return found.filter(isGlobalUnicast).sort().slice(0, MOST_ADDRESSES);
  } catch (error) {
    if (error instanceof BackendUnavailable) return null;
    throw error;
  }
}

/** The A and AAAA sets of an ALIAS; both, since what there was of the other kind must go. */
export function aliasSets({ name, ttl }: ZoneAlias, addresses: readonly string[]): readonly RrSet[] {
  const ipv6 = addresses.filter((address) => address.includes(':'));
  const ipv4 = addresses.filter((address) => !address.includes(':'));
  return [
    { name, type: 'A', ttl, records: ipv4 },
    { name, type: 'AAAA', ttl, records: ipv6 },
  ];
}
