import { readAddress, readNetwork } from '../../../base/network.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Host } from '../../core/catalog/schema/host.ts';
import type { Catalog } from '../../core/catalog/schema/schema.ts';

/** Rows that one pool may make; a larger pool is used from its beginning. */
const MOST_PER_POOL = 4096;
const IPV6_BITS = 128;

const upsertNodes = statement<object>(
  'upsert_nodes',
  `INSERT INTO nodes AS n (host, name, cores_total, memory_total, disk_total)
   SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::int[]) ORDER BY 1, 2
   ON CONFLICT (host, name) DO UPDATE SET cores_total = excluded.cores_total,
     memory_total = excluded.memory_total, disk_total = excluded.disk_total, active = true`,
);
const retireNodes = statement<object>(
  'retire_nodes',
  `UPDATE nodes n SET active = false
   WHERE active AND NOT EXISTS (
     SELECT FROM unnest($1::text[], $2::text[]) k(host, name) WHERE k.host = n.host AND k.name = n.name)`,
);

// Only what is free leaves: an address that is in use stays with its server whatever the catalogue says.
const dropAddresses = statement<object>(
  'drop_addresses',
  `DELETE FROM addresses a WHERE state = 'free' AND NOT EXISTS (
     SELECT FROM unnest($1::text[], $2::inet[]) k(host, address) WHERE k.host = a.host AND k.address = a.address)`,
);
// What is in use inside a pool's range without being one of its addresses was given out when the pool had
// networks of another length: nothing that overlaps it may be given out beside it.
const upsertAddresses = statement<object>(
  'upsert_addresses',
  `WITH pools AS MATERIALIZED (
     SELECT * FROM unnest($1::text[], $2::inet[], $3::inet[]) AS p(host, address, gateway)),
   other AS MATERIALIZED (
     SELECT a.address FROM addresses a JOIN unnest($4::inet[]) AS range ON a.address <<= range
     WHERE a.state <> 'free' AND NOT EXISTS (SELECT FROM pools p WHERE p.address = a.address))
   INSERT INTO addresses AS a (address, family, host, gateway, state)
   SELECT p.address, family(p.address), p.host, p.gateway, 'free' FROM pools p
   WHERE NOT EXISTS (SELECT FROM other o WHERE o.address && p.address)
   ON CONFLICT (address) DO UPDATE SET host = excluded.host, gateway = excluded.gateway
     WHERE (a.host, a.gateway) <> (excluded.host, excluded.gateway)
       AND (a.state <> 'assigned' OR a.host = excluded.host)`,
);

/**
 * Brings nodes and addresses in line with the catalogue's hosts: new ones are added, nodes that it no longer
 * has take no more servers, free addresses outside its pools go. What servers use is left to them.
 */
export async function syncInventory(tx: Transaction, catalog: Catalog): Promise<void> {
  const nodes = catalog.hosts.flatMap((host) =>
    host.nodes.map(({ name, capacity }) => ({ host: host.name, name, ...capacity })),
  );
  const addresses = catalog.hosts.flatMap(poolAddresses);
  const nodeKeys = [nodes.map((node) => node.host), nodes.map((node) => node.name)];
  const addressKeys = [addresses.map((row) => row.host), addresses.map((row) => row.address)];
  await tx.run(upsertNodes, [
    ...nodeKeys,
    nodes.map((node) => node.cores),
    nodes.map((node) => node.memory),
    nodes.map((node) => node.disk),
  ]);
  await tx.run(retireNodes, nodeKeys);
  await tx.run(dropAddresses, addressKeys);
  const ranges = catalog.hosts.flatMap(({ networks }) => [networks.ipv4.cidr, networks.ipv6.cidr]);
  await tx.run(upsertAddresses, [...addressKeys, addresses.map((row) => row.gateway), ranges]);
}

interface PoolAddress {
  readonly host: string;
  readonly address: string;
  readonly gateway: string;
}

function poolAddresses({ name, networks }: Host): PoolAddress[] {
  return [
    ...ipv4Addresses(networks.ipv4).map((address) => ({
      host: name,
      address,
      gateway: networks.ipv4.gateway,
    })),
    ...ipv6Networks(networks.ipv6).map((address) => ({
      host: name,
      address,
      gateway: networks.ipv6.gateway,
    })),
  ];
}

/** The addresses of a pool that machines can have: not the network's own, the broadcast's or the gateway's. */
export function ipv4Addresses(pool: { readonly cidr: string; readonly gateway: string }): string[] {
  const network = readNetwork(pool.cidr);
  const gateway = readAddress(pool.gateway)?.value;
  const addresses: string[] = [];
  if (network === null) return addresses;
  for (let at = network.first + 1n; at < network.last && addresses.length < MOST_PER_POOL; at += 1n) {
    if (at !== gateway) addresses.push(printIpv4(at));
  }
  return addresses;
}

/** The networks of a pool that servers can have: all but the one that the gateway is in. */
export function ipv6Networks(pool: {
  readonly cidr: string;
  readonly gateway: string;
  readonly prefix_length: number;
}): string[] {
  const network = readNetwork(pool.cidr);
  const gateway = readAddress(pool.gateway)?.value ?? -1n;
  const size = 1n << BigInt(IPV6_BITS - pool.prefix_length);
  const networks: string[] = [];
  if (network === null) return networks;
  for (let at = network.first; at <= network.last && networks.length < MOST_PER_POOL; at += size) {
    if (gateway >= at && gateway < at + size) continue;
    networks.push(`${printIpv6(at)}/${pool.prefix_length}`);
  }
  return networks;
}

function printIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
}

/** All eight groups; PostgreSQL keeps and prints the canonical form (RFC 5952). */
function printIpv6(value: bigint): string {
  const shifts = Array.from({ length: 8 }, (_, group) => BigInt(112 - 16 * group));
  return shifts.map((shift) => ((value >> shift) & 0xffffn).toString(16)).join(':');
}
