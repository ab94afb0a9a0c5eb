import { z } from 'zod';
import { hurryJobs } from '../../business/core/backends/failing-backend.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/backend-retry',
  summary: 'Try all that waits for a back end again at once',
  description: 'After it was mended. A back end that answers again is noticed within a minute without this.',
  audience: 'staff',
  scope: 'staff:technical',
  input: z.strictObject({ name: z.string().min(1).max(200).describe('As `staff/backends` names it.') }),
  output: z.object({ name: z.string(), jobs: z.int().describe('How many are tried again') }),
  message: { en: 'What waited is tried again now.', de: 'Was gewartet hat, wird jetzt erneut versucht.' },
  errors: [],
  example: { input: { name: 'hypervisor:fra-epyc/fra-epyc-01' } },
  handle: async (tx, _ctx, { name }) => ({ name, jobs: await hurryJobs(tx, name) }),
});
