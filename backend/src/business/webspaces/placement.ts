import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { WebspacePackage } from '../core/catalog/schema/packages.ts';
import type { CatalogVersion } from '../core/catalog/versions.ts';

/** The web hosts, by name, that run a package's webspaces with that version of PHP; null: with all of the package's. */
export function hostsFor(
  { content }: CatalogVersion,
  pack: WebspacePackage,
  phpVersion: string | null,
): string[] {
  const wanted = phpVersion === null ? pack.limits.php_versions : [phpVersion];
  return content.web_hosts
    .filter((host) => host.sold && wanted.every((version) => host.php_versions.includes(version)))
    .map((host) => host.name);
}

// As for servers: the emptiest of those that nobody else is writing; then, because those may all be full, all.
function takeCapacity(name: string, order: string, locking: string) {
  return statement<{ name: string }>(
    name,
    `UPDATE web_hosts SET webspaces_used = webspaces_used + 1, disk_used = disk_used + $2
     WHERE name = (
       SELECT name FROM web_hosts
       WHERE name = ANY($1::text[]) AND active AND webspaces_used < webspaces_total AND disk_used + $2 <= disk_total
       ORDER BY ${order} LIMIT 1 FOR NO KEY UPDATE ${locking})
     RETURNING name`,
  );
}
const takeUnlocked = takeCapacity(
  'take_web_room_unlocked',
  'disk_used::float8 / disk_total, name',
  'SKIP LOCKED',
);
const takeWaiting = takeCapacity('take_web_room', 'name', '');

/** Reserves room for a webspace on one of these hosts; its name, or null: none has any. Disk in MiB. */
export async function placeOn(
  tx: Transaction,
  hosts: readonly string[],
  disk: number,
): Promise<string | null> {
  const [unlocked] = await tx.run(takeUnlocked, [hosts, disk]);
  const [taken] = unlocked === undefined ? await tx.run(takeWaiting, [hosts, disk]) : [unlocked];
  return taken?.name ?? null;
}

const returnCapacity = statement<object>(
  'return_web_room',
  'UPDATE web_hosts SET webspaces_used = webspaces_used - 1, disk_used = disk_used - $2 WHERE name = $1',
);

/** Gives back what a webspace had: once, so the caller must know that nobody has done it before. */
export async function returnPlacement(tx: Transaction, host: string, disk: number): Promise<void> {
  await tx.run(returnCapacity, [host, disk]);
}

interface FreeCapacity {
  readonly name: string;
  readonly disk: bigint;
}

const freeRooms = statement<FreeCapacity>(
  'free_web_rooms',
  `SELECT name, disk_total - disk_used AS disk FROM web_hosts
   WHERE active AND webspaces_used < webspaces_total`,
);

/** Whether there is room for a package's webspace anywhere. A glance: only an order's own reservation counts. */
export async function loadFreeCapacity(
  db: Executor,
): Promise<(hosts: readonly string[], disk: number) => boolean> {
  const rooms = await db.run(freeRooms, []);
  return (hosts, disk) => rooms.some((room) => hosts.includes(room.name) && room.disk >= BigInt(disk));
}
