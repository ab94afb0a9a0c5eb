import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import { operation } from '../../operation.ts';

const DEADLINE_MS = 5_000;

export default operation({
  method: 'GET',
  path: 'webspace/logs',
  summary: 'The last lines of the logs of a webspace',
  description: 'As the web server wrote them, the oldest first. Logs are rotated daily and kept for a week.',
  audience: 'customer',
  scope: 'webspace:read',
  input: z.strictObject({
    uuid,
    kind: z.enum(['access', 'error']).default('access'),
    lines: z.int().min(1).max(1000).default(100),
  }),
  output: z.object({ uuid, kind: z.enum(['access', 'error']), lines: z.array(z.string()) }),
  message: { en: 'These are the last lines.', de: 'Das sind die letzten Zeilen.' },
  errors: ['not_found', 'backend_unavailable'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', kind: 'error' } },
  resource: webspace,
  async read(ctx, input, found) {
    const site = { webspaceId: found.id, host: found.host, username: found.username };
    const lines = await ctx.ports.webserver
      .logs(site, input.kind, input.lines, DEADLINE_MS)
      .catch((error: unknown) => {
        if (!(error instanceof BackendUnavailable)) throw error;
        throw ctx.refusal('backend_unavailable', { members: { backend: 'web server' } });
      });
    return { uuid: found.id, kind: input.kind, lines: [...lines] };
  },
});
