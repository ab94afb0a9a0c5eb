import { z } from 'zod';
import { lockQueuedJob, retryJob } from '../../business/core/backends/queued-job.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/job-retry',
  summary: 'Begin a job anew at once',
  description:
    'With all its attempts, whether it is dead or waits for its next one. A job that ended its process twice within a day, and ' +
    'was set aside, runs again.',
  audience: 'staff',
  scope: 'staff:technical',
  input: z.strictObject({ id: z.int().min(1).describe('As `staff/jobs` shows it') }),
  output: z.object({ id: z.int(), name: z.string() }),
  message: { en: 'The job begins anew now.', de: 'Der Auftrag beginnt jetzt von vorn.' },
  errors: ['not_found', 'state_conflict'],
  example: { input: { id: 4711 } },
  async handle(tx, ctx, { id }) {
    const job = await lockQueuedJob(tx, id);
    if (job === null) throw ctx.refusal('not_found');
    if (!(await retryJob(tx, job)))
      throw ctx.refusal('state_conflict', {
        members: { current_state: job.state, allowed_states: ['waiting', 'dead'] },
      });
    return { id, name: job.name };
  },
});
