import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { allowanceOf } from './allowance.ts';
import { type Billed, periodAt } from './period.ts';

/** A server that no billing period is open for, and what it used since its last sample. */
export interface Unperioded extends Billed {
  readonly id: string;
  readonly item: string;
  readonly host: string;
  readonly bytes_in: bigint;
  readonly bytes_out: bigint;
}

// A period that was open may have ended otherwise than it said, when a term began anew: the next goes on from there.
const insert = statement<object>(
  'begin_traffic_periods',
  `INSERT INTO server_traffic (server_id, period_from, period_to, bytes_in, bytes_out, included)
   SELECT n.id, greatest(n.period_from, p.period_to), n.period_to, n.bytes_in, n.bytes_out, n.included
   FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::bigint[])
     n(id, period_from, period_to, bytes_in, bytes_out, included)
   LEFT JOIN LATERAL (SELECT max(t.period_to) AS period_to FROM server_traffic t
     WHERE t.server_id = n.id AND t.period_to < n.period_to) p ON true`,
);

/** Opens the billing periods of now, with what was used since the last sample. */
export async function beginPeriods(
  tx: Transaction,
  catalog: CatalogVersion,
  servers: readonly Unperioded[],
  now: Instant,
): Promise<void> {
  const periods = servers.map((server) => periodAt(server, now));
  await tx.run(insert, [
    servers.map((server) => server.id),
    periods.map((period) => period.from),
    periods.map((period) => period.to),
    servers.map((server) => server.bytes_in),
    servers.map((server) => server.bytes_out),
    servers.map((server) => allowanceOf(catalog, server).included),
  ]);
}
