import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { jobOf, openWork } from '../../business/abandonment/open-work.ts';
import { lockService } from '../../business/selling/subscriptions/suspension.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/task-retry',
  summary: 'Try an order or other work again at once',
  description:
    'Without waiting for the delay that grew with each attempt. For all that waits for one back end: `staff/backend-retry`.',
  audience: 'staff',
  scope: 'staff:technical',
  input: z.strictObject({
    uuid: uuid.describe('A task, an order, or the task of an order of several things.'),
  }),
  output: z.object({ uuid, jobs: z.int().describe('How many were started') }),
  message: { en: 'It is tried again now.', de: 'Es wird jetzt erneut versucht.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const open = await openWork(tx, input.uuid);
    // Locked like for any other work on it: what is just being ended is not begun again.
    for (const id of [...new Set(open.map((work) => work.service_id))].sort())
      await lockService(tx, ctx.uow, id);
    const jobs = (await openWork(tx, input.uuid)).flatMap((work) => jobOf(work) ?? []);
    if (jobs.length === 0) throw ctx.refusal('not_found');
    ctx.uow.jobs.push(...jobs);
    return { uuid: input.uuid, jobs: jobs.length };
  },
});
