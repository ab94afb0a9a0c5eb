import { statement } from '../../../db/statement.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { dropOldMetrics, prepareMetrics } from './partitions.ts';

/** Traffic of a billing period is kept this long after its end, for those who ask what they were told. */
const TRAFFIC_KEPT_DAYS = 730;

const forgetMeters = statement<object>(
  'forget_meters',
  `DELETE FROM server_meters m USING servers v WHERE v.id = m.server_id AND v.removed_at < $1`,
);
const forgetTraffic = statement<object>('forget_traffic', 'DELETE FROM server_traffic WHERE period_to < $1');

/** Makes the partitions of figures ahead, drops those that have had their time, and forgets servers that are gone. */
export default maintenanceJob({
  name: 'server.rotate_metrics',
  schedule: '11 * * * *',
  async run(pool, { now }) {
    await prepareMetrics(pool, now);
    await dropOldMetrics(pool, now);
    await pool.run(forgetMeters, [now.subtract({ hours: 24 })]);
    await pool.run(forgetTraffic, [now.subtract({ hours: TRAFFIC_KEPT_DAYS * 24 })]);
  },
});
