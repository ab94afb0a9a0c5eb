import { maintenanceJob } from '../../../work/job.ts';
import { discardBefore } from './quarantine.ts';

const DAYS = 30;

/** Mail that no operator has wanted for a month is thrown away. */
export default maintenanceJob({
  name: 'tickets.expire-quarantine',
  schedule: '40 3 * * *',
  run: (pool, ctx) => discardBefore(pool, ctx.now.subtract({ hours: DAYS * 24 }), ctx.now),
});
