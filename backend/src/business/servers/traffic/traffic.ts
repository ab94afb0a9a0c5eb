import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import type { Server } from '../server.ts';
import { allowanceOf } from './allowance.ts';
import { periodAt } from './period.ts';

const open = statement<{ used: bigint; included: bigint | null; period_to: Instant }>(
  'open_traffic_period',
  `SELECT bytes_in + bytes_out AS used, included, period_to FROM server_traffic
   WHERE server_id = $1 AND period_to > $2 AND period_from <= $2 ORDER BY period_to LIMIT 1`,
);

export interface Traffic {
  /** Bytes, both directions together. */
  readonly used: number;
  /** null: without limit. */
  readonly included: number | null;
  readonly periodEnd: Instant;
  readonly throttled: boolean;
}

/** What a server has used of its billing period. One that nothing was sampled in yet is the catalogue's. */
export async function trafficOf(
  db: Executor,
  catalog: CatalogVersion,
  server: Server,
  now: Instant,
): Promise<Traffic> {
  const [row] = await db.run(open, [server.id, now]);
  const throttled = server.throttled_to !== null;
  if (row === undefined) {
    const { included } = allowanceOf(catalog, server);
    return { used: 0, included, periodEnd: periodAt(server, now).to, throttled };
  }
  const included = row.included === null ? null : Number(row.included);
  return { used: Number(row.used), included, periodEnd: row.period_to, throttled };
}
