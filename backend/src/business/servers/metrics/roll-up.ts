import type { Instant } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { METRICS } from './metric.ts';
import { floorTo, instantOf, ROLL_UPS, SETTLING } from './timeframe.ts';

const mark = statement<{ rolled_up_to: Instant | null }>(
  'lock_roll_up',
  'SELECT rolled_up_to FROM server_roll_ups WHERE step = $1 FOR UPDATE',
);
const advance = statement<object>(
  'advance_roll_up',
  'UPDATE server_roll_ups SET rolled_up_to = $2 WHERE step = $1',
);

const all = (one: (metric: string) => string) => METRICS.map(one).join(', ');
const COLUMNS = `${all((m) => `${m}_n`)}, ${all((m) => `${m}_avg`)}, ${all((m) => `${m}_max`)}`;

// Server by server, since rows of one server lie together in the index: never a pass over a partition. An average is
// weighed by how often its figure was known, so that it is the average of the samples.
const rollUp = statement<object>(
  'roll_up_metrics',
  `INSERT INTO server_metrics (step, server_id, at, ${COLUMNS})
   SELECT $2, m.server_id, b.* FROM server_meters m CROSS JOIN LATERAL (
     SELECT date_bin(make_interval(secs => $2::integer), f.at, 'epoch') AS at,
       ${all((m) => `sum(f.${m}_n)`)},
       ${all((m) => `sum(f.${m}_avg::float8 * f.${m}_n) / nullif(sum(f.${m}_n), 0)`)},
       ${all((m) => `max(f.${m}_max)`)}
     FROM server_metrics f
     WHERE f.step = $1 AND f.server_id = m.server_id AND f.at >= $3 AND f.at < $4 GROUP BY 1) b`,
);

/**
 * Makes the steps of every length that ended since the last time, from the finest to the coarsest: what is written is
 * complete, and is written once. What ended while nothing ran is made up for, as far as what it is made of is still there.
 */
export async function rollUpMetrics(pool: Pool, now: Instant): Promise<void> {
  let complete = now.epochMilliseconds / 1000 - SETTLING;
  for (const { from, to } of ROLL_UPS) {
    const until = floorTo(complete, to.step);
    complete = await transaction(pool, async (tx) => {
      const [known] = await tx.run(mark, [to.step]);
      const done = (known?.rolled_up_to?.epochMilliseconds ?? 0) / 1000;
      if (done >= until) return done;
      await tx.run(rollUp, [from.step, to.step, instantOf(done), instantOf(until)]);
      await tx.run(advance, [to.step, instantOf(until)]);
      return until;
    });
  }
}
