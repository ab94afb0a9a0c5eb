import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import { ISO } from '../../business/servers/changes/medium.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree } from './change.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/iso-detach',
  summary: "Take the medium out of a server's drive",
  description: 'The server starts from its disk first then. Without a medium nothing changes.',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, task }),
  message: { en: 'The medium is being taken out.', de: 'Das Medium wird herausgenommen.' },
  errors: CHANGE_ERRORS,
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  async handle(tx, ctx, _input, found) {
    await mustBeFree(ctx, tx, found);
    const begun = beginChange(ctx.uow, ctx.sealer, found, { type: ISO, wanted: { medium: null } });
    return { uuid: found.id, task: begun };
  },
});
