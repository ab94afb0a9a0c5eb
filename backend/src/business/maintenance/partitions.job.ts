import { utcDay } from '../../base/time.ts';
import { statement } from '../../db/statement.ts';
import { maintenanceJob } from '../../work/job.ts';

const AHEAD_MONTHS = 3;
/** Events and audit rows are kept this long, then dropped by whole months. */
const KEPT_MONTHS = 24;

const ensure = statement<{ made: boolean }>(
  'ensure_month_partitions',
  `SELECT ensure_month_partition(parent, month) AS made
   FROM unnest(ARRAY['events', 'audit']) parent, unnest($1::date[]) month`,
);
const drop = statement<{ dropped: boolean }>(
  'drop_month_partition',
  `SELECT drop_month_partition(parent, $1::date) AS dropped FROM unnest(ARRAY['events', 'audit']) parent`,
);

export default maintenanceJob({
  name: 'upkeep.partitions',
  schedule: '17 3 * * *',
  async run(pool, { now }) {
    const month = now.toZonedDateTimeISO('UTC').with({ day: 1 });
    const ahead = Array.from({ length: AHEAD_MONTHS + 1 }, (_, index) =>
      utcDay(month.add({ months: index }).toInstant()),
    );
    await pool.run(ensure, [ahead]);
    await pool.run(drop, [utcDay(month.subtract({ months: KEPT_MONTHS + 1 }).toInstant())]);
  },
});
