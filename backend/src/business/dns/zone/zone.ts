import type { DelegationSigner } from '../../../base/delegation-signer.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { DnssecState } from '../dnssec/dnssec.ts';
import type { PlanBase } from '../plan/plan.ts';

/** A zone in the books, with whose it is. */
export interface Zone {
  readonly id: string;
  /** null: the operator's own. */
  readonly domain_id: string | null;
  readonly account_id: string | null;
  /** Absolute, lower case, punycode, without the root's dot. */
  readonly name: string;
  readonly version: number;
  readonly revision_id: string | null;
  readonly default_ttl: number;
  readonly records: number;
  readonly characters: number;
  /** How many of the records are ALIAS. */
  readonly aliases: number;
  readonly nameservers: readonly string[];
  readonly dnssec: DnssecState;
  readonly dnssec_wanted: boolean;
  readonly dnssec_due_at: Instant | null;
  readonly signed: boolean;
  readonly ds: readonly DelegationSigner[];
  readonly serial: bigint;
  readonly published_version: number;
  readonly published_at: Instant | null;
  readonly visible_version: number;
  readonly nameservers_current: number;
  readonly checked_at: Instant | null;
  /** Above `published_version`: all of it is to be published. */
  readonly whole_version: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly remove_at: Instant | null;
  readonly removed_at: Instant | null;
  readonly gone_at: Instant | null;
}

/** SQL for the columns of {@link Zone}, of zones `z`. */
export const ZONE_COLUMNS = `z.id, z.domain_id,
  (SELECT s.account_id FROM services s WHERE s.id = z.domain_id) AS account_id, z.name, z.version, z.revision_id,
  z.default_ttl, z.records, z.characters, z.aliases, z.nameservers, z.dnssec, z.dnssec_wanted, z.dnssec_due_at, z.signed, z.ds,
  z.serial, z.published_version, z.published_at, z.visible_version, z.nameservers_current, z.checked_at,
  z.whole_version, z.created_at, z.updated_at, z.remove_at, z.removed_at, z.gone_at`;

const one = statement<Zone>('read_zone', `SELECT ${ZONE_COLUMNS} FROM zones z WHERE z.id = $1`);
const lockOne = statement<Zone>(
  'lock_zone',
  `SELECT ${ZONE_COLUMNS} FROM zones z WHERE z.id = $1 FOR NO KEY UPDATE`,
);
const ofDomain = statement<Zone>(
  'read_zone_of_domain',
  `SELECT ${ZONE_COLUMNS} FROM zones z WHERE z.domain_id = $1 AND z.removed_at IS NULL`,
);
const lockOfDomain = statement<Zone>(
  'lock_zone_of_domain',
  `SELECT ${ZONE_COLUMNS} FROM zones z WHERE z.domain_id = $1 AND z.removed_at IS NULL FOR NO KEY UPDATE`,
);
/** Also one that is gone; null: there never was. */
export async function readZone(db: Executor, id: string): Promise<Zone | null> {
  return (await db.run(one, [id]))[0] ?? null;
}

/** Its account must be locked before (rule A4). */
export async function lockZone(db: Executor, id: string): Promise<Zone | null> {
  return (await db.run(lockOne, [id]))[0] ?? null;
}

/** The zone that is hosted here for a domain; null: none is. */
export async function zoneOfDomain(db: Executor, domainId: string): Promise<Zone | null> {
  return (await db.run(ofDomain, [domainId]))[0] ?? null;
}

/** The same, with its row locked: changes of one zone come one after the other. */
export async function lockZoneOfDomain(db: Executor, domainId: string): Promise<Zone | null> {
  return (await db.run(lockOfDomain, [domainId]))[0] ?? null;
}

/** What a change of the zone is planned against, beside its records. */
export function planBaseOf(zone: Zone): Omit<PlanBase, 'records'> {
  const { name, default_ttl: defaultTtl, records, characters, aliases } = zone;
  return { zone: name, defaultTtl, size: { records, characters, aliases } };
}
