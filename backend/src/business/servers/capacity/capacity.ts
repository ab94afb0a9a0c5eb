import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Host } from '../../core/catalog/schema/host.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { type Configuration, smallestConfiguration } from '../configuration.ts';

/** What is free on a host: on each of its nodes, and of its addresses. */
export interface FreeCapacity {
  readonly nodes: readonly FreeNode[];
  /** At most {@link COUNTED}: more than any server needs are not counted. */
  readonly ipv4: number;
  readonly ipv6: number;
}

interface FreeNode {
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly memoryTotal: number;
}

const COUNTED = 64;

const freeNodes = statement<{ host: string; cores: number; memory: number; disk: number; total: number }>(
  'free_nodes',
  `SELECT host, cores_total - cores_used AS cores, memory_total - memory_used AS memory,
          disk_total - disk_used AS disk, memory_total AS total
   FROM nodes WHERE active AND problem IS NULL`,
);

const freeAddresses = statement<{ host: string; ipv4: number; ipv6: number }>(
  'free_addresses',
  `SELECT host, ${counted(4)} AS ipv4, ${counted(6)} AS ipv6 FROM (SELECT DISTINCT host FROM nodes) h`,
);

function counted(family: 4 | 6): string {
  return `(SELECT count(*)::int FROM (SELECT FROM addresses a
     WHERE a.host = h.host AND a.family = ${family} AND a.state = 'free' LIMIT ${COUNTED}) free)`;
}

/** What is free on every host, by its name. A glance: only an order's own reservation counts. */
export async function loadFreeCapacity(db: Executor): Promise<ReadonlyMap<string, FreeCapacity>> {
  const [nodes, addresses] = await Promise.all([db.run(freeNodes, []), db.run(freeAddresses, [])]);
  const byHost = Map.groupBy(nodes, (node) => node.host);
  return new Map(
    addresses.map(({ host, ipv4, ipv6 }) => {
      const free = byHost.get(host) ?? [];
      return [
        host,
        { ipv4, ipv6, nodes: free.map(({ total, ...node }) => ({ ...node, memoryTotal: total })) },
      ];
    }),
  );
}

/** Whether a host has room for a server of this size. */
export function hasCapacity(room: FreeCapacity | undefined, size: Configuration): boolean {
  if (room === undefined || room.ipv4 < size.ipv4 || (size.ipv6 && room.ipv6 === 0)) return false;
  return room.nodes.some(
    (node) => node.cores >= size.cores && node.memory >= size.memory && node.disk >= size.disk,
  );
}

export type Capacity = 'high' | 'medium' | 'low' | 'none';

/** How full a host is: none when not even its smallest server fits, else by its share of free memory. */
export function capacityOf(room: FreeCapacity | undefined, host: Host): Capacity {
  if (room === undefined || !hasCapacity(room, smallestConfiguration(host))) return 'none';
  const free = room.nodes.reduce((sum, node) => sum + Math.max(0, node.memory), 0);
  const total = room.nodes.reduce((sum, node) => sum + node.memoryTotal, 0);
  if (free * 2 >= total) return 'high';
  return free * 10 >= total * 2 ? 'medium' : 'low';
}

/** The other hosts that would take a server of this size, by name. */
export function alternativesTo(
  host: string,
  size: Configuration,
  catalog: CatalogVersion,
  rooms: ReadonlyMap<string, FreeCapacity>,
): string[] {
  return catalog.content.hosts
    .filter((other) => other.name !== host && other.sold && hasCapacity(rooms.get(other.name), size))
    .map((other) => other.name)
    .sort();
}
