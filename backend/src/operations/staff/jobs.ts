import { z } from 'zod';
import { timestamp } from '../../api/field.ts';
import { offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { wireTime } from '../../base/time.ts';
import { identifiersOf, JOB_STATES, listQueuedJobs } from '../../business/core/backends/queued-job.ts';
import { operation } from '../../operation.ts';

const { search: _, ...pages } = paging(['id']);

export default operation({
  method: 'GET',
  path: 'staff/jobs',
  summary: 'The jobs in the queue',
  description:
    'A `dead` job has used up its attempts: nothing runs it again by itself. `staff/job-retry` begins it anew, ' +
    '`staff/job-drop` removes it.',
  audience: 'staff',
  scope: 'staff:read',
  input: z.strictObject({
    ...pages,
    state: z.enum(JOB_STATES).optional(),
    name: z.string().min(1).max(100).optional().describe('Jobs of this name only, such as `dns.publish`'),
  }),
  output: z.object({
    jobs: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        state: z.enum(JOB_STATES),
        payload: z.record(z.string(), z.string()).describe('The identifiers of what it is about'),
        attempts: z.int(),
        max_attempts: z.int(),
        run_at: timestamp.describe('When it is tried next, or was last'),
        error: z.string().nullable().describe('Of its last attempt that failed'),
        created_at: timestamp,
      }),
    ),
    pagination,
  }),
  message: { en: 'These are the jobs in the queue.', de: 'Das sind die Aufträge in der Warteschlange.' },
  errors: ['validation_failed'],
  example: { input: { state: 'dead' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { jobs, total } = await listQueuedJobs(
      ctx.db,
      { state: input.state ?? null, name: input.name ?? null },
      { order: input.order, limit: input.per_page, offset: offsetOf(input) },
    );
    return {
      jobs: jobs.map((job) => ({
        id: Number(job.id),
        name: job.name,
        state: job.state,
        payload: identifiersOf(job),
        attempts: job.attempts,
        max_attempts: job.max_attempts,
        run_at: wireTime(job.run_at),
        error: job.error,
        created_at: wireTime(job.created_at),
      })),
      pagination: pageOf(input, total),
    };
  },
});
