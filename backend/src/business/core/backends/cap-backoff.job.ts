import { maintenanceJob } from '../../../work/job.ts';
import { capBackoff } from './failing-backend.ts';
import { forgetSupersededJobs } from './queued-job.ts';

const LONGEST_SECONDS = 600;

/**
 * Keeps the growing delay of jobs at ten minutes: the queue's own grows to six hours, for which no customer waits. Forgets
 * the runs that failed after another job had taken their place.
 */
export default maintenanceJob({
  name: 'backend.cap_backoff',
  schedule: '* * * * *',
  async run(pool) {
    await capBackoff(pool, LONGEST_SECONDS);
    await forgetSupersededJobs(pool);
  },
});
