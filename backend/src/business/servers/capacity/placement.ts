import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Configuration } from '../configuration.ts';

/** What a server is given when it is ordered: capacity of a node, and addresses of its own. */
export interface Placement {
  readonly node: string;
  readonly ipv4: readonly AssignedAddress[];
  readonly ipv6: readonly AssignedAddress[];
}

export interface AssignedAddress {
  /** An IPv4 address, or an IPv6 network in prefix notation. */
  readonly address: string;
  readonly gateway: string;
  readonly rdns: string | null;
}

export interface PlacementRequest {
  readonly serverId: string;
  readonly accountId: string;
  readonly host: string;
  readonly configuration: Configuration;
  /** The reverse name of its first IPv4 address; null: the pool's. */
  readonly rdns: string | null;
}

// The row is locked before it is changed and tested again when the lock was waited for, so a node never takes
// more than it has. First among nodes that nobody else is writing, the emptiest of them; then, because those
// may all be full, among all. Waiting goes by name, so that two who wait cannot wait for each other.
function takeCapacity(name: string, order: string, locking: string) {
  return statement<{ name: string }>(
    name,
    `UPDATE nodes SET cores_used = cores_used + $2, memory_used = memory_used + $3, disk_used = disk_used + $4
     WHERE (host, name) = (
       SELECT host, name FROM nodes
       WHERE host = $1 AND active AND problem IS NULL AND cores_used + $2 <= cores_total AND memory_used + $3 <= memory_total
         AND disk_used + $4 <= disk_total
       ORDER BY ${order} LIMIT 1 FOR NO KEY UPDATE ${locking})
     RETURNING name`,
  );
}
const takeUnlocked = takeCapacity(
  'take_capacity_unlocked',
  'memory_used::float8 / memory_total, name',
  'SKIP LOCKED',
);
const takeWaiting = takeCapacity('take_capacity', 'name', '');

// Rows that another order is taking are passed over, and a row that was taken meanwhile no longer is 'free'
// when its newest version is locked: no address is given twice. Materialised, so that it is evaluated once.
const takeAddresses = statement<{ address: string; gateway: string; rdns: string | null }>(
  'take_addresses',
  `WITH free AS MATERIALIZED (
     SELECT address FROM addresses WHERE host = $1 AND family = $2 AND state = 'free'
     ORDER BY address LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED),
   taken AS (
     UPDATE addresses a SET state = 'assigned', server_id = $4,
       rdns = CASE WHEN a.address = (SELECT min(address) FROM free) THEN $5 END
     FROM free WHERE a.address = free.address
     RETURNING a.address, a.gateway, a.rdns),
   noted AS (
     INSERT INTO address_history (address, server_id, account_id, created_at)
     SELECT address, $4, $6, $7 FROM taken)
   SELECT address, gateway, rdns FROM taken`,
);

/**
 * Reserves a node's capacity and addresses for a server, in the order's own transaction: both are there, or
 * the answer is null and the transaction must be rolled back.
 */
export async function placeOn(
  tx: Transaction,
  request: PlacementRequest,
  now: Instant,
): Promise<Placement | null> {
  const { host, serverId, accountId, configuration } = request;
  const size = [host, configuration.cores, configuration.memory, configuration.disk];
  const take = (family: 4 | 6, count: number, rdns: string | null) =>
    count === 0 ? [] : tx.run(takeAddresses, [host, family, count, serverId, rdns, accountId, now]);
  const networks = configuration.ipv6 ? 1 : 0;
  const [unlocked, ipv4, ipv6] = await Promise.all([
    tx.run(takeUnlocked, size),
    take(4, configuration.ipv4, request.rdns),
    take(6, networks, null),
  ]);
  if (ipv4.length < configuration.ipv4 || ipv6.length < networks) return null;
  const [node] = unlocked.length > 0 ? unlocked : await tx.run(takeWaiting, size);
  return node === undefined ? null : { node: node.name, ipv4, ipv6 };
}

const quarantineAddresses = statement<object>(
  'quarantine_addresses',
  `WITH noted AS (
     UPDATE address_history SET released_at = $2 WHERE server_id = ANY($1::uuid[]) AND released_at IS NULL)
   UPDATE addresses SET state = 'quarantine', server_id = NULL, rdns = NULL, null_route = NULL, released_at = $2
   WHERE address IN (SELECT address FROM addresses WHERE server_id = ANY($1::uuid[]) ORDER BY address FOR UPDATE)`,
);
const returnCapacity = statement<object>(
  'return_capacity',
  `WITH returned AS (
     SELECT host, node, sum(cores)::int AS cores, sum(memory)::int AS memory, sum(disk)::int AS disk
     FROM servers WHERE id = ANY($1::uuid[]) GROUP BY host, node),
   locked AS MATERIALIZED (
     SELECT n.host, n.name FROM nodes n JOIN returned r ON r.host = n.host AND r.node = n.name
     ORDER BY n.host, n.name FOR NO KEY UPDATE OF n)
   UPDATE nodes n SET cores_used = n.cores_used - r.cores, memory_used = n.memory_used - r.memory,
     disk_used = n.disk_used - r.disk
   FROM returned r JOIN locked l ON l.host = r.host AND l.name = r.node
   WHERE n.host = r.host AND n.name = r.node`,
);

/**
 * Gives back what servers had: once each, so the caller must know that nobody has done it before. Addresses go
 * into quarantine, because a machine that nobody knows of may still be using them.
 */
export async function returnPlacements(
  tx: Transaction,
  serverIds: readonly string[],
  now: Instant,
): Promise<void> {
  await Promise.all([tx.run(quarantineAddresses, [serverIds, now]), tx.run(returnCapacity, [serverIds])]);
}

const endQuarantine = statement<{ address: string }>(
  'end_quarantine',
  `UPDATE addresses SET state = 'free', released_at = NULL
   WHERE state = 'quarantine' AND released_at <= $1 RETURNING address`,
);

/** Makes addresses free that were released at `before` or earlier; how many. */
export async function freeQuarantined(tx: Transaction, before: Instant): Promise<number> {
  return (await tx.run(endQuarantine, [before])).length;
}
