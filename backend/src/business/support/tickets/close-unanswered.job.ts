import { maintenanceJob } from '../../../work/job.ts';
import { closeUnanswered } from './unanswered.ts';

/** Tickets that were answered, and of which no more was heard, are closed after the catalogue's `close_days`. */
export default maintenanceJob({
  name: 'tickets.close-unanswered',
  schedule: '25 * * * *',
  async run(pool, ctx) {
    const { content } = await ctx.catalogs.newest(pool);
    await closeUnanswered(pool, ctx.now, content);
  },
});
