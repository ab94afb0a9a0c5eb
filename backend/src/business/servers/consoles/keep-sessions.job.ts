import { maintenanceJob } from '../../../work/job.ts';
import { SILENT_SECONDS } from './session.ts';
import { endSilentSessions } from './supervision.ts';

export default maintenanceJob({
  name: 'console.keep_sessions',
  schedule: '* * * * *',
  async run(pool, { now }) {
    await endSilentSessions(pool, now.subtract({ seconds: SILENT_SECONDS }));
  },
});
