import { randomUUIDv7 } from 'node:crypto';
import type { RecordInput } from '../../../base/dns/read-record.ts';
import type { Instant } from '../../../base/time.ts';
import type { Bulk } from '../../../db/changes.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { registryTold } from '../dnssec/dnssec.ts';
import { octetsOf } from '../history/revision.ts';
import { type Planning, planChange } from '../plan/plan.ts';
import { DELEGATE, enqueueZone, PUBLISH } from '../publish/zone-jobs.ts';
import { lockZoneOfDomain, ZONE_COLUMNS, type Zone } from './zone.ts';
import { addRecords } from './zone-records.ts';

/** Seconds, of records that say nothing else. */
export const DEFAULT_TTL = 3_600;
/** How long a zone is served whose domain went to another registrar: until everybody has heard of its new servers. */
const SERVED_AFTER_TRANSFER = { hours: 7 * 24 };
/** Of one that was signed, a DS may have to be forgotten before its name servers change (rule F7). */
const SERVED_SIGNED = { hours: 14 * 24 };

export interface ZoneDraft {
  /** null: the operator's own. */
  readonly domainId: string | null;
  readonly name: string;
  readonly nameservers: readonly string[];
  readonly records: readonly RecordInput[];
  readonly dnssec: boolean;
  readonly userId: string | null;
}

const named = statement<Zone>(
  'lock_zones_named',
  `SELECT ${ZONE_COLUMNS} FROM zones z WHERE z.name = ANY($1::text[]) AND z.removed_at IS NULL ORDER BY z.id
   FOR NO KEY UPDATE`,
);
const insert = statement<object>(
  'add_zones',
  `INSERT INTO zones (id, domain_id, name, version, revision_id, default_ttl, records, characters, aliases, nameservers,
     dnssec, dnssec_wanted, created_at, updated_at, history_octets)
   SELECT id, domain_id, name, 1, revision_id, ${DEFAULT_TTL}, records, characters, aliases, nameservers,
     CASE WHEN dnssec THEN 'signing' ELSE 'off' END, dnssec, $2, $2, octets
   FROM json_to_recordset($1::json) n(id uuid, domain_id uuid, name text, revision_id uuid, records integer,
     characters integer, aliases integer, nameservers text[], dnssec boolean, octets integer)`,
);
const firstRevisions = statement<object>(
  'add_first_revisions',
  `INSERT INTO zone_revisions (id, zone_id, version, user_id, diff, dnssec, created_at, octets)
   SELECT revision_id, id, 1, user_id, diff, nullif(dnssec, false), $2, octets
   FROM json_to_recordset($1::json) n(id uuid, revision_id uuid, user_id uuid, diff jsonb, dnssec boolean,
     octets integer)`,
);
const remove = statement<object>(
  'remove_zone',
  'UPDATE zones SET removed_at = $2, remove_at = NULL, check_at = NULL, dnssec_due_at = NULL WHERE id = $1',
);
const move = statement<{ id: string }>(
  'move_zone',
  'UPDATE zones SET domain_id = $2 WHERE domain_id = $1 AND removed_at IS NULL RETURNING id',
);

/** What a new zone would consist of; what is wrong is said of `/records/0` and so on. */
export function planZone(name: string, records: readonly RecordInput[]): Planning {
  const base = {
    zone: name,
    defaultTtl: DEFAULT_TTL,
    size: { records: 0, characters: 0, aliases: 0 },
    records: [],
  };
  return planChange(base, { records }, randomUUIDv7);
}

/**
 * Makes zones, and has them published. Of the same names, those that are about to go go now; those that are there for
 * the same domains stay as they are. The records must be ones that {@link planZone} takes.
 */
export async function hostZones(
  tx: Transaction,
  uow: UnitOfWork,
  drafts: readonly ZoneDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  const there = new Map(
    (await tx.run(named, [drafts.map(({ name }) => name)])).map((zone) => [zone.name, zone]),
  );
  const isKept = ({ name, domainId }: ZoneDraft) => {
    const zone = there.get(name);
    return zone !== undefined && zone.domain_id === domainId && zone.remove_at === null;
  };
  const made = drafts.filter((draft) => !isKept(draft));
  for (const { name } of made) {
    const zone = there.get(name);
    if (zone !== undefined) await removeZone(tx, uow, zone);
  }
  const rows = made.map(rowOf);
  await tx.run(insert, [JSON.stringify(rows), uow.now]);
  await addRecords(
    tx,
    rows.flatMap(({ id, diff }) => diff.added.map((record) => ({ zone_id: id, ...record }))),
  );
  await tx.run(firstRevisions, [JSON.stringify(rows), uow.now]);
  for (const { id } of rows) enqueueZone(uow, PUBLISH, id);
}

function rowOf({ domainId, name, nameservers, records, dnssec, userId }: ZoneDraft) {
  const planned = planZone(name, records);
  if (!planned.ok) throw new Error(`zone ${name} was to be made of ${JSON.stringify(planned.errors)}`);
  const { sizeAfter, diff } = planned.plan;
  return {
    id: randomUUIDv7(),
    revision_id: randomUUIDv7(),
    domain_id: domainId,
    name,
    ...sizeAfter,
    nameservers,
    dnssec,
    user_id: userId,
    diff,
    octets: octetsOf(JSON.stringify(diff)),
  };
}

/** Takes a locked zone from the books, and has it taken from the name servers. */
export async function removeZone(tx: Transaction, uow: UnitOfWork, zone: Zone): Promise<void> {
  await tx.run(remove, [zone.id, uow.now]);
  enqueueZone(uow, PUBLISH, zone.id);
}

/** A domain is registered: what its registry was not told yet of its zone, it is told now. */
export async function domainDelegated(tx: Transaction, uow: UnitOfWork, domainId: string): Promise<void> {
  const zone = await lockZoneOfDomain(tx, domainId);
  if (zone !== null && registryTold(zone.dnssec) !== null) enqueueZone(uow, DELEGATE, zone.id);
}

/** A domain changed hands with its zone. */
export async function moveZone(tx: Transaction, fromDomainId: string, toDomainId: string): Promise<void> {
  await tx.run(move, [fromDomainId, toDomainId]);
}

const zoneLeaves: Bulk<{ id: string; remove_at: Instant; remove_signed_at: Instant }> = {
  name: '~zones.leaves',
  columns: { id: 'uuid', remove_at: 'timestamptz', remove_signed_at: 'timestamptz' },
  sql: (rows) => `UPDATE zones
    SET remove_at = CASE WHEN zones.dnssec = 'off' THEN n.remove_at ELSE n.remove_signed_at END
    FROM ${rows} n WHERE zones.domain_id = n.id AND zones.removed_at IS NULL`,
  key: ({ id }) => id,
};

/** A domain is over: its zone goes, soon. */
export function zoneOfDomainLeaves(uow: UnitOfWork, domainId: string, isTransferred: boolean): void {
  const after = (time: { hours: number }) => (isTransferred ? uow.now.add(time) : uow.now);
  uow.changes.add(zoneLeaves, {
    id: domainId,
    remove_at: after(SERVED_AFTER_TRANSFER),
    remove_signed_at: after(SERVED_SIGNED),
  });
}
