import type { Instant } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { emit, inUnitOfWork, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { allowanceOf } from './allowance.ts';
import { uplinkJob } from './uplink.ts';

interface Exceeding {
  readonly id: string;
  readonly account_id: string;
  readonly item: string;
  readonly host: string;
  readonly uplink: number;
  readonly used: bigint;
  readonly period_to: Instant;
}

const lock = statement<Exceeding>(
  'lock_exceeded_traffic',
  `SELECT t.server_id AS id, s.account_id, s.item, v.host, v.uplink, t.bytes_in + t.bytes_out AS used, t.period_to
   FROM server_traffic t JOIN services s ON s.id = t.server_id JOIN servers v ON v.id = s.id
   WHERE t.server_id = ANY($1::uuid[]) AND t.period_to > $2 AND t.period_from <= $2
     AND t.exceeded_at IS NULL AND t.bytes_in + t.bytes_out > t.included
   ORDER BY t.server_id FOR NO KEY UPDATE OF t`,
);

// What is included may have grown since the period began, and is written down as it is.
const settle = statement<object>(
  'settle_exceeded_traffic',
  `WITH n AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::bigint[], $4::timestamptz[], $5::integer[])
       n(id, period_to, included, exceeded_at, throttled_to)),
   traffic AS (UPDATE server_traffic t SET included = n.included, exceeded_at = n.exceeded_at FROM n
     WHERE t.server_id = n.id AND t.period_to = n.period_to)
   UPDATE servers v SET throttled_to = n.throttled_to, uplink_due = true FROM n
   WHERE v.id = n.id AND n.throttled_to IS NOT NULL`,
);

/**
 * Tells of servers that used more than their billing period includes, once a period, and throttles them where their host
 * has it so. One whose package includes more by now goes on.
 */
export async function settleExceeded(
  pool: Pool,
  catalog: CatalogVersion,
  servers: readonly { readonly id: string; readonly accountId: string }[],
  now: Instant,
): Promise<void> {
  if (servers.length === 0) return;
  const accounts = [...new Set(servers.map((server) => server.accountId))];
  const ids = servers.map((server) => server.id);
  await inUnitOfWork(pool, now, accounts, async (tx, uow) => {
    const settled = (await tx.run(lock, [ids, now])).map((server) => {
      const { included, throttle } = allowanceOf(catalog, server);
      const exceeds = included !== null && server.used > BigInt(included);
      const throttledTo = exceeds && throttle !== null && throttle < server.uplink ? throttle : null;
      return { server, included, exceeds, throttledTo };
    });
    for (const { server, included, exceeds, throttledTo } of settled) {
      if (!exceeds || included === null) continue;
      emit(uow, lockedAccount(uow, server.account_id), {
        type: 'server.traffic_exceeded',
        resource: { type: 'server', id: server.id },
        body: {
          used: Number(server.used),
          included,
          period_end: server.period_to,
          throttled_to: throttledTo,
        },
      });
      if (throttledTo !== null) uow.jobs.push(uplinkJob(server.id));
    }
    await tx.run(settle, [
      settled.map(({ server }) => server.id),
      settled.map(({ server }) => server.period_to),
      settled.map(({ included }) => included),
      settled.map(({ exceeds }) => (exceeds ? now : null)),
      settled.map(({ throttledTo }) => throttledTo),
    ]);
  });
}
