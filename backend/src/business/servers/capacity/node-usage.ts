import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** A node as the books and the samples of the last minutes have it. Memory MiB, disk GiB. */
export interface NodeUse {
  readonly host: string;
  readonly node: string;
  /** New servers go there. */
  readonly active: boolean;
  /** What keeps it from running machines; null: nothing that is known. */
  readonly problem: string | null;
  readonly cores_total: number;
  readonly cores_sold: number;
  readonly memory_total: number;
  readonly memory_sold: number;
  readonly disk_total: number;
  readonly disk_sold: number;
  readonly servers: number;
  readonly running: number;
  /** How many servers the figures below are of: those that were sampled lately. */
  readonly sampled: number;
  /** Cores that are busy; null: nothing was sampled. */
  readonly cores_busy: number | null;
  readonly memory_used: number | null;
  readonly disk_used: number | null;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const LATELY_MINUTES = 5;

const use = statement<NodeUse>(
  'node_use',
  `SELECT n.host, n.name AS node, n.active, n.problem, n.cores_total, n.cores_used AS cores_sold, n.memory_total,
     n.memory_used AS memory_sold, n.disk_total, n.disk_used AS disk_sold, count(v.id)::int AS servers,
     count(*) FILTER (WHERE v.power_state = 'running')::int AS running, count(m.server_id)::int AS sampled,
     sum(m.cpu * v.cores)::float8 AS cores_busy, (sum(m.mem) / ${MIB})::float8 AS memory_used,
     (sum(m.disk) / ${GIB})::float8 AS disk_used
   FROM nodes n LEFT JOIN (servers v JOIN services s ON s.id = v.id AND s.state <> 'error')
     ON v.host = n.host AND v.node = n.name AND v.removed_at IS NULL
   LEFT JOIN server_meters m ON m.server_id = v.id AND m.seen_at > $1
   GROUP BY n.host, n.name ORDER BY n.host, n.name`,
);

/** What is sold of every node, and what its servers use of it. */
export function nodeUse(db: Executor, now: Instant): Promise<NodeUse[]> {
  return db.run(use, [now.subtract({ minutes: LATELY_MINUTES })]);
}
