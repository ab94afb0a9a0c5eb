import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { METRICS, type Metric } from '../../business/servers/metrics/metric.ts';
import { seriesOf } from '../../business/servers/metrics/series.ts';
import { TIMEFRAMES } from '../../business/servers/metrics/timeframe.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const share = z.number().nullable().optional().describe('Share of the assigned cores, 0 to 1');
const bytes = z.int().nullable().optional().describe('Bytes');
const rate = z.number().nullable().optional().describe('Bytes per second');
const size = z.int().optional().describe('Bytes, as the server is now');

const point = z.object({
  time: z.int().describe('When the step begins, Unix seconds'),
  cpu: share,
  maxcpu: z.int().optional().describe('Cores, as the server is now'),
  mem: bytes,
  maxmem: size,
  disk: bytes,
  maxdisk: size,
  diskread: rate,
  diskwrite: rate,
  netin: rate,
  netout: rate,
});

export default operation({
  method: 'GET',
  path: 'server/rrddata',
  summary: 'What a server used over time',
  description:
    'Every step from `start` to before `end`: of an hour by the minute, of a day by 5 minutes, of a week by 30, of a ' +
    'month by 2 hours, of a year by the day. A step is there once it is complete, a few minutes after its end. Missing ' +
    'figures are null, never zero: a server that is off uses no memory that could be measured. `gaps` counts the steps ' +
    'of which nothing is known. With `metrics`, only these are in the series, each with the size that it is measured by.',
  audience: 'customer',
  scope: 'server:read',
  input: z.strictObject({
    uuid,
    timeframe: z.enum(TIMEFRAMES),
    cf: z.enum(['average', 'max']).default('average').describe('How the samples of a step become one figure'),
    metrics: z.array(z.enum(METRICS)).min(1).max(METRICS.length).optional(),
  }),
  output: z.object({
    uuid,
    timeframe: z.enum(TIMEFRAMES),
    cf: z.enum(['average', 'max']),
    step: z.int().describe('Seconds'),
    start: z.int().describe('Unix seconds'),
    end: z.int().describe('Unix seconds'),
    series: z.array(point),
    gaps: z.int(),
  }),
  message: { en: 'This is what the server used.', de: 'Das hat der Server verbraucht.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', timeframe: 'day' } },
  resource: server,
  async read(ctx, { timeframe, cf, metrics = METRICS }, found) {
    const { step, start, end, points } = await seriesOf(ctx.db, found.id, timeframe, cf, ctx.now);
    const sizes: Partial<Record<Metric, object>> = {
      cpu: { maxcpu: found.cores },
      mem: { maxmem: found.memory * MIB },
      disk: { maxdisk: found.disk * GIB },
    };
    const chosen = METRICS.filter((metric) => metrics.includes(metric));
    const series = points.map((known) => ({
      time: known.time,
      ...Object.assign(
        {},
        ...chosen.map((metric) => ({ [metric]: wire(metric, known[metric]), ...sizes[metric] })),
      ),
    }));
    const gaps = points.filter((known) => chosen.every((metric) => known[metric] === null)).length;
    return { uuid: found.id, timeframe, cf, step, start, end, series, gaps };
  },
});

/** Figures are kept in single precision: of a size, the number that is meant and not its shortest text. */
function wire(metric: Metric, figure: number | null): number | null {
  return figure !== null && (metric === 'mem' || metric === 'disk')
    ? Math.round(Math.fround(figure))
    : figure;
}
