import { randomUUIDv7 } from 'node:crypto';
import { readAddress } from '../../../base/network.ts';
import { reverseName } from '../../../base/subnet.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { applyPlan } from '../plan/apply.ts';
import { sizeAfterDiff, type ZoneDiff } from '../plan/plan.ts';
import { publicationAt } from '../publish/publication.ts';
import { DEFAULT_TTL } from './hosting.ts';
import type { ZoneRecord } from './record.ts';
import { ZONE_COLUMNS, type Zone } from './zone.ts';
import { recordsAt } from './zone-records.ts';

/** What an address is to be called. */
export interface PtrRecord {
  readonly address: string;
  /** A host name without the root's dot; null: nothing. */
  readonly target: string | null;
}

/** The version in which what was written is published. */
export interface WrittenZone {
  readonly zoneId: string;
  readonly version: number;
}

const add = statement<object>(
  'add_reverse_zone',
  `INSERT INTO zones (id, name, default_ttl, records, characters, nameservers, created_at, updated_at)
   VALUES ($1, $2, ${DEFAULT_TTL}, 0, 0, $3, $4, $4) ON CONFLICT (name) WHERE removed_at IS NULL DO NOTHING`,
);
const lock = statement<Zone>(
  'lock_reverse_zone',
  `SELECT ${ZONE_COLUMNS} FROM zones z WHERE z.name = $1 AND z.removed_at IS NULL FOR NO KEY UPDATE`,
);

/**
 * The name of an address's PTR record within a pool's zone, relative to it; null: it belongs to another zone. The zone
 * is one of whole labels (RFC 1035 §3.5, RFC 3596 §2.5), or a part of the last (RFC 2317: `0/26.2.0.192.in-addr.arpa`),
 * in which the record is named by the last number alone.
 */
export function ptrName(address: string, reverseZone: string): string | null {
  const read = readAddress(address);
  if (read === null) return null;
  const name = reverseName(read);
  if (name.endsWith(`.${reverseZone}`)) return name.slice(0, -reverseZone.length - 1);
  const [last = '', ...parent] = name.split('.');
  const [range = '', ...above] = reverseZone.split('.');
  const isPart = above.join('.') === parent.join('.') && holds(range, Number(last));
  return isPart && name.endsWith('.in-addr.arpa') ? last : null;
}

/** `0/26` and `0-63` are the usual names of such a part; any other says nothing of what is in it. */
function holds(range: string, number: number): boolean {
  const [, first, kind, second] = /^(\d+)([/-])(\d+)$/.exec(range) ?? [];
  if (first === undefined || second === undefined) return true;
  const end = kind === '-' ? Number(second) : Number(first) + 2 ** (32 - Number(second)) - 1;
  return number >= Number(first) && number <= end;
}

/**
 * Writes the names of addresses into a pool's reverse zone, which is made where it is not, and has them published.
 * Zones come after everything else in the order of locks (rule A4). Throws for an address that is not the zone's. null:
 * all of them were called so already.
 */
export async function setPtrRecords(
  tx: Transaction,
  uow: UnitOfWork,
  { reverseZone, nameservers }: { readonly reverseZone: string; readonly nameservers: readonly string[] },
  pointers: readonly PtrRecord[],
): Promise<WrittenZone | null> {
  if (pointers.length === 0) return null;
  await tx.run(add, [randomUUIDv7(), reverseZone, nameservers, uow.now]);
  const [zone] = await tx.run(lock, [reverseZone]);
  if (zone === undefined) throw new Error(`the reverse zone ${reverseZone} was removed meanwhile`);
  const wanted = new Map(pointers.map(({ address, target }) => [nameIn(reverseZone, address), target]));
  const there = await recordsAt(tx, zone.id, [...wanted.keys()]);
  const changes = [...wanted].map(([name, target]) => {
    const before = there.filter((record) => record.name === name);
    const isSame =
      before.length === Number(target !== null) && before.every(({ content }) => content === `${target}.`);
    return { name, before, after: isSame ? before : target === null ? [] : [pointerRecord(name, target)] };
  });
  const changed = changes.filter(({ before, after }) => before !== after && before.length + after.length > 0);
  if (changed.length === 0) return null;
  const removed = changed.flatMap(({ before }) => before);
  const added = changed.flatMap(({ after }) => after);
  const diff: ZoneDiff = { added, removed, changed: [], unchanged: zone.records - removed.length };
  const sizeAfter = sizeAfterDiff(zone, diff);
  const rrsets = changed.flatMap(
    ({ name, before, after }) => publicationAt(zone.name, name, before, after).rrsets,
  );
  const by = { userId: null, comment: null, dnssec: null, watched: false };
  const applied = await applyPlan(tx, uow, zone, { diff, sizeAfter, rrsets, aliases: [] }, by);
  return { zoneId: applied.zone.id, version: applied.zone.version };
}

function nameIn(reverseZone: string, address: string): string {
  const name = ptrName(address, reverseZone);
  if (name === null) throw new Error(`${address} does not belong to ${reverseZone}`);
  return name;
}

function pointerRecord(name: string, target: string): ZoneRecord {
  return {
    id: randomUUIDv7(),
    name,
    type: 'PTR',
    content: `${target}.`,
    ttl: DEFAULT_TTL,
    priority: null,
    weight: null,
    port: null,
    disabled: false,
    comment: null,
    managed_by: 'system',
  };
}
