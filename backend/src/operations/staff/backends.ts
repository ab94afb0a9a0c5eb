import { z } from 'zod';
import { timestamp } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { failingBackends } from '../../business/core/backends/failing-backend.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'staff/backends',
  summary: 'The back ends that did not do what they were told',
  description: 'Each since its first command without an outcome, until one has an outcome again.',
  audience: 'staff',
  scope: 'staff:read',
  input: z.strictObject({}),
  output: z.object({
    backends: z.array(
      z.object({
        name: z.string(),
        reason: z.string().describe('What went wrong first'),
        since: timestamp,
        jobs: z.int().describe('How many wait for it'),
      }),
    ),
    total: z.int(),
  }),
  message: { en: 'These back ends fail at the moment.', de: 'Diese Backends sind zurzeit gestört.' },
  errors: [],
  example: { input: {} },
  async read(ctx) {
    const found = await failingBackends(ctx.db);
    return { backends: found.map((one) => ({ ...one, since: wireTime(one.since) })), total: found.length };
  },
});
