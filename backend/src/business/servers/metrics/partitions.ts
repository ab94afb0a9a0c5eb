import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { floorTo, instantOf, RESOLUTIONS } from './timeframe.ts';

/** Of each resolution, from the one before the current: what is rolled up lies in the past. */
const PREPARED = [-1, 0, 1, 2];

const ensure = statement<{ made: boolean }>(
  'ensure_metric_partitions',
  `SELECT ensure_metric_partition(step, begins, ends) AS made
   FROM unnest($1::integer[], $2::timestamptz[], $3::timestamptz[]) n(step, begins, ends)`,
);

const drop = statement<{ dropped: number }>(
  'drop_metric_partitions',
  `SELECT drop_metric_partitions(step, make_interval(secs => span), before) AS dropped
   FROM unnest($1::integer[], $2::integer[], $3::timestamptz[]) n(step, span, before)`,
);

/** Makes the partitions that samples and roll-ups of now and of the near future go to. */
export async function prepareMetrics(db: Executor, now: Instant): Promise<void> {
  const seconds = now.epochMilliseconds / 1000;
  const wanted = Object.values(RESOLUTIONS).flatMap(({ step, partition }) =>
    PREPARED.map((ahead) => ({ step, partition, begins: floorTo(seconds, partition) + ahead * partition })),
  );
  await db.run(ensure, [
    wanted.map(({ step }) => step),
    wanted.map(({ begins }) => instantOf(begins)),
    wanted.map(({ begins, partition }) => instantOf(begins + partition)),
  ]);
}

/** Drops the partitions that nothing is shown or made of any more. */
export async function dropOldMetrics(db: Executor, now: Instant): Promise<void> {
  const all = Object.values(RESOLUTIONS);
  await db.run(drop, [
    all.map(({ step }) => step),
    all.map(({ partition }) => partition),
    all.map(({ kept }) => now.subtract({ seconds: kept })),
  ]);
}
