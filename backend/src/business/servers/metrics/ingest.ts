import type { Instant } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import type { MachineMetrics } from '../../../drivers/hypervisor/port.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { beginPeriods, type Unperioded } from '../traffic/begin.ts';
import { COUNTERS, METRICS } from './metric.ts';
import { floorTo, instantOf, RESOLUTIONS } from './timeframe.ts';

const { step: STEP } = RESOLUTIONS.hour;

/** Uptime and clock may differ by this much: an answer takes its time, and uptimes are whole seconds. */
const TOLERANCE = 60;
/** Bytes of a longer time are traffic, but no rate: nobody knows when they flew. */
const LONGEST = 180;
/** Closer samples would make rates of rounding errors. */
const CLOSEST = 30;

/** Two of them added, or one in single precision, are still exact numbers of JSON. */
const MOST_BYTES = 2 ** 52 - 1;

// Hosts are written by one process at a time, so that what is read of a host's meters is what was written last. The
// mark's row is shared with other hosts and waited for while a step is rolled up: its samples are complete then.
const open = statement<{ rolled_up_to: Instant | null }>(
  'open_host_meters',
  `SELECT rolled_up_to FROM server_roll_ups, pg_advisory_xact_lock(hashtext('server_meters'), hashtext($1)) l
   WHERE step = ${RESOLUTIONS.day.step} FOR SHARE OF server_roll_ups`,
);

const counters = (one: (counter: string) => string) => COUNTERS.map(one).join(', ');
const figures = (one: (metric: string) => string) => METRICS.map(one).join(', ');
const isCounter = (metric: string) => COUNTERS.some((counter) => counter === metric);

/** Of a counter. What it counted before a start is lost; what it shows after one was counted since. */
const moved = (counter: string) =>
  `CASE WHEN t.fresh THEN t.${counter} WHEN t.old_${counter} IS NULL THEN NULL
     WHEN t.${counter} < t.old_${counter} THEN t.${counter} ELSE t.${counter} - t.old_${counter} END AS ${counter}_moved`;

const rate = (counter: string) =>
  `(CASE WHEN seconds <= ${LONGEST} THEN ${counter}_moved / seconds END)::real`;
const figure = (metric: string) => (isCounter(metric) ? rate(metric) : `${metric}::real`);

const METER = `server_id, seen_at, uptime, ${figures((metric) => metric)}`;

/**
 * One answer of a host, as it goes to the newest sample of each of its servers, to the minute's row, and to the traffic
 * of the billing period. A machine is fresh that was started after its last sample, or that there is none of while it is
 * young. Gives back the servers that no billing period is open for, and those that have used up theirs.
 */
const ingest = statement<IngestRow>(
  'ingest_host_metrics',
  `WITH told AS MATERIALIZED (
     SELECT n.*, m.server_id IS NULL AS first, extract(epoch FROM $3::timestamptz - m.seen_at)::float8 AS elapsed,
       m.uptime AS old_uptime, ${counters((counter) => `m.${counter} AS old_${counter}`)}
     FROM unnest($4::uuid[], $5::bigint[], $6::real[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[],
       $11::bigint[], $12::bigint[]) n(server_id, uptime, ${figures((metric) => metric)})
     JOIN servers v ON v.id = n.server_id AND v.host = $1 AND v.removed_at IS NULL
     LEFT JOIN server_meters m ON m.server_id = n.server_id
     WHERE m.server_id IS NULL
       OR (m.seen_at < $2::timestamptz AND m.seen_at <= $3::timestamptz - interval '${CLOSEST} seconds')),
   aged AS MATERIALIZED (
     SELECT t.*, uptime < coalesce(elapsed, ${LONGEST}) + ${TOLERANCE}
         AND (first OR old_uptime = 0 OR uptime < old_uptime + elapsed - ${TOLERANCE}) AS fresh
     FROM told t),
   metered AS MATERIALIZED (
     SELECT t.*, CASE WHEN t.fresh THEN greatest(t.uptime, ${STEP}) ELSE t.elapsed END AS seconds, ${counters(moved)}
     FROM aged t),
   kept AS (
     INSERT INTO server_meters AS m (${METER})
     SELECT server_id, $3, uptime, ${figures((metric) => metric)} FROM metered
     ON CONFLICT (server_id) DO UPDATE SET seen_at = excluded.seen_at, uptime = excluded.uptime,
       ${figures((metric) => `${metric} = excluded.${metric}`)}),
   sampled AS (
     INSERT INTO server_metrics (step, server_id, at, ${figures((metric) => `${metric}_n`)},
       ${figures((metric) => `${metric}_avg`)}, ${figures((metric) => `${metric}_max`)})
     SELECT ${STEP}, server_id, $2, ${figures((metric) => `(${metric} IS NOT NULL)::integer`)},
       ${figures((metric) => metric)}, ${figures((metric) => metric)}
     FROM (SELECT server_id, ${figures((metric) => `${figure(metric)} AS ${metric}`)} FROM metered) f
     WHERE coalesce(${figures((metric) => metric)}) IS NOT NULL),
   counted AS (
     UPDATE server_traffic t SET bytes_in = least(t.bytes_in + coalesce(netin_moved, 0), ${MOST_BYTES}),
       bytes_out = least(t.bytes_out + coalesce(netout_moved, 0), ${MOST_BYTES})
     FROM metered WHERE t.server_id = metered.server_id AND t.period_to > $3 AND t.period_from <= $3
       AND coalesce(netin_moved, 0) + coalesce(netout_moved, 0) > 0
     RETURNING t.server_id, t.bytes_in + t.bytes_out > t.included AND t.exceeded_at IS NULL AS exceeded)
   SELECT d.server_id AS id, s.account_id, s.item, s.duration_unit, s.anchor_day, s.expire_at, s.created_at, v.host,
     coalesce(d.netin_moved, 0)::bigint AS bytes_in, coalesce(d.netout_moved, 0)::bigint AS bytes_out,
     c.exceeded IS NOT NULL AS counted
   FROM metered d LEFT JOIN counted c ON c.server_id = d.server_id
   JOIN services s ON s.id = d.server_id JOIN servers v ON v.id = s.id
   WHERE c.exceeded OR (c.exceeded IS NULL AND NOT EXISTS (
     SELECT FROM server_traffic t WHERE t.server_id = d.server_id AND t.period_to > $3 AND t.period_from <= $3))`,
);

interface IngestRow extends Unperioded {
  readonly account_id: string;
  /** Its traffic was counted in an open period, and is more than that includes. */
  readonly counted: boolean;
}

export interface HostSample {
  readonly host: string;
  readonly now: Instant;
  readonly machines: readonly MachineMetrics[];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Writes what a host told at a moment. At most one sample is taken of a server in a minute, the first, and none once the
 * minute was rolled up; machines that the books do not have on this host are passed over. Gives back those servers whose
 * traffic is more than their period includes and of whom that was not known yet.
 */
export async function ingestHost(
  pool: Pool,
  catalog: CatalogVersion,
  { host, now, machines }: HostSample,
): Promise<{ readonly id: string; readonly accountId: string }[]> {
  const told = [...byServer(machines).values()];
  if (told.length === 0) return [];
  const minute = instantOf(floorTo(now.epochMilliseconds / 1000, STEP));
  const found = await transaction(pool, async (tx) => {
    const [mark] = await tx.run(open, [host]);
    const rolledUpTo = mark?.rolled_up_to ?? null;
    if (rolledUpTo !== null && Temporal.Instant.compare(minute, rolledUpTo) < 0) return [];
    const rows = await tx.run(ingest, [
      host,
      minute,
      now,
      told.map((machine) => machine.serverId),
      told.map((machine) => Math.floor(machine.uptimeSeconds)),
      told.map((machine) => share(machine.cpu)),
      told.map((machine) => whole(machine.memoryUsedBytes)),
      told.map((machine) => whole(machine.diskUsedBytes)),
      told.map((machine) => whole(machine.diskReadBytes)),
      told.map((machine) => whole(machine.diskWrittenBytes)),
      told.map((machine) => whole(machine.netInBytes)),
      told.map((machine) => whole(machine.netOutBytes)),
    ]);
    const without = rows.filter((row) => !row.counted);
    if (without.length > 0) await beginPeriods(tx, catalog, without, now);
    return rows;
  });
  return found.filter((row) => row.counted).map((row) => ({ id: row.id, accountId: row.account_id }));
}

/** Of a machine that two nodes tell about while it moves, the one that has run longer. */
function byServer(machines: readonly MachineMetrics[]): Map<string, MachineMetrics> {
  const found = new Map<string, MachineMetrics>();
  for (const machine of machines) {
    const known = found.get(machine.serverId);
    if (!UUID.test(machine.serverId) || (known?.uptimeSeconds ?? -1) >= machine.uptimeSeconds) continue;
    // Without it nobody knows since when the counters count.
    if (!(machine.uptimeSeconds >= 0 && machine.uptimeSeconds <= MOST_BYTES)) continue;
    found.set(machine.serverId, machine);
  }
  return found;
}

/** null: nobody can have so many, and one machine's nonsense must not cost a host its samples. */
function whole(bytes: number | null): number | null {
  return bytes !== null && bytes >= 0 && bytes <= MOST_BYTES ? Math.round(bytes) : null;
}

function share(cpu: number | null): number | null {
  return cpu !== null && Number.isFinite(cpu) ? Math.min(1, Math.max(0, cpu)) : null;
}
