import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { setPtrRecords } from '../../dns/zone/reverse.ts';
import { defaultName, type ReverseZone, reverseZoneOf } from './reverse-name.ts';

interface NamedAddress {
  readonly host: string;
  readonly address: string;
  readonly rdns: string | null;
}

// Whole IPv6 networks have no name; single addresses in them may.
const namedAddresses = statement<NamedAddress>(
  'named_addresses',
  `SELECT host, host(address) AS address, rdns FROM addresses WHERE server_id = ANY($1::uuid[]) AND family = 4
   UNION ALL
   SELECT a.host, host(n.address), n.rdns FROM addresses a JOIN address_names n ON n.network = a.address
   WHERE a.server_id = ANY($1::uuid[])`,
);
const forget = statement<object>(
  'forget_address_names',
  `DELETE FROM address_names n USING addresses a
   WHERE a.address = n.network AND a.server_id = ANY($1::uuid[])`,
);

/** Has the names of a server's addresses published: its customer's, and the pool's for those that they gave none. */
export async function publishPtrRecords(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  serverId: string,
): Promise<void> {
  const named = await tx.run(namedAddresses, [[serverId]]);
  await write(
    tx,
    uow,
    catalog,
    named,
    ({ host, address, rdns }) => rdns ?? defaultName(catalog, host, address),
  );
}

/**
 * Takes the names of servers' addresses out of the DNS, before anybody else gets the addresses (rule F11). While the
 * addresses are still the servers'; what it answers is to be called when every other row is locked (rule A4).
 */
export async function withdrawPtrRecords(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  serverIds: readonly string[],
): Promise<() => Promise<void>> {
  const named = await tx.run(namedAddresses, [serverIds]);
  await tx.run(forget, [serverIds]);
  return () => write(tx, uow, catalog, named, () => null);
}

/** Zone by zone in the order of their names, so that two who write several cannot wait for each other. */
async function write(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  addresses: readonly NamedAddress[],
  targetOf: (address: NamedAddress) => string | null,
): Promise<void> {
  const zones = new Map<string, { zone: ReverseZone; addresses: NamedAddress[] }>();
  for (const named of addresses) {
    const zone = reverseZoneOf(catalog, named.host, named.address);
    if (zone === null) continue;
    const group = zones.get(zone.reverseZone) ?? { zone, addresses: [] };
    group.addresses.push(named);
    zones.set(zone.reverseZone, group);
  }
  for (const [, group] of [...zones].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const pointers = group.addresses.map((named) => ({ address: named.address, target: targetOf(named) }));
    await setPtrRecords(tx, uow, group.zone, pointers);
  }
}
