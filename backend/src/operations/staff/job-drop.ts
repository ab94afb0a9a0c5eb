import { z } from 'zod';
import {
  dropDeadJob,
  hangingOn,
  identifiersOf,
  lockQueuedJob,
} from '../../business/core/backends/queued-job.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/job-drop',
  summary: 'Remove a dead job',
  description:
    'Refused while an open order or task hangs on it, which the error names: `staff/task-cancel` ends those.',
  audience: 'staff',
  scope: 'staff:technical',
  input: z.strictObject({
    id: z.int().min(1).describe('As `staff/jobs` shows it'),
    reason: z.string().trim().max(1000).default('').describe('For operators.'),
  }),
  output: z.object({
    id: z.int(),
    name: z.string(),
    payload: z.record(z.string(), z.string()).describe('The identifiers of what it was about'),
  }),
  message: { en: 'The job was removed.', de: 'Der Auftrag wurde entfernt.' },
  errors: ['not_found', 'state_conflict'],
  example: { input: { id: 4711, reason: 'The mailbox is gone.' } },
  async handle(tx, ctx, { id }) {
    const job = await lockQueuedJob(tx, id);
    if (job === null) throw ctx.refusal('not_found');
    const hanging = job.state === 'dead' ? await hangingOn(tx, job) : null;
    if (hanging !== null)
      throw ctx.refusal('state_conflict', {
        members: { current_state: job.state, [`${hanging.kind}_uuid`]: hanging.id },
      });
    if (!(await dropDeadJob(tx, id)))
      throw ctx.refusal('state_conflict', {
        members: { current_state: job.state, allowed_states: ['dead'] },
      });
    return { id, name: job.name, payload: identifiersOf(job) };
  },
});
