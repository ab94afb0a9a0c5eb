import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { type Consolidation, METRICS, type Metric } from './metric.ts';
import { chartOf, instantOf, type Timeframe } from './timeframe.ts';

type MetricRow = { readonly time: number } & Readonly<Record<Metric, number | null>>;

/** In the order of the index, which holds nothing of other servers or times between them. */
const read = (consolidation: Consolidation) => {
  const suffix = consolidation === 'max' ? 'max' : 'avg';
  return statement<MetricRow>(
    `server_metrics_${suffix}`,
    `SELECT extract(epoch FROM at)::float8 AS time, ${METRICS.map((metric) => `${metric}_${suffix} AS ${metric}`).join(', ')} FROM server_metrics
     WHERE step = $1 AND server_id = $2 AND at >= $3 AND at < $4 ORDER BY at`,
  );
};
const READ = { average: read('average'), max: read('max') };

export interface Series {
  /** All in seconds; `start` and `end` since Unix time began. */
  readonly step: number;
  readonly start: number;
  readonly end: number;
  /** Every step from `start` to before `end`; figures that are not known are null. */
  readonly points: readonly MetricRow[];
}

const UNKNOWN: Readonly<Record<Metric, null>> = {
  cpu: null,
  mem: null,
  disk: null,
  diskread: null,
  diskwrite: null,
  netin: null,
  netout: null,
};

export async function seriesOf(
  db: Executor,
  serverId: string,
  timeframe: Timeframe,
  consolidation: Consolidation,
  now: Instant,
): Promise<Series> {
  const { start, end, step } = chartOf(timeframe, now);
  const rows = await db.run(READ[consolidation], [step, serverId, instantOf(start), instantOf(end)]);
  const byTime = new Map(rows.map((row) => [row.time, row]));
  const points = Array.from({ length: (end - start) / step }, (_, index) => {
    const time = start + index * step;
    return byTime.get(time) ?? { time, ...UNKNOWN };
  });
  return { step, start, end, points };
}
