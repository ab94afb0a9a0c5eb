import { maintenanceJob } from '../../../work/job.ts';
import { rollUpMetrics } from './roll-up.ts';

/** Makes coarser steps of what was sampled, each once it is complete: most minutes there is nothing to do. */
export default maintenanceJob({
  name: 'server.roll_up_metrics',
  schedule: '* * * * *',
  run: (pool, { now }) => rollUpMetrics(pool, now),
});
