import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import { RESCUE_END } from '../../business/servers/changes/rescue.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree } from './change.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/rescue-end',
  summary: 'Start a server from its own disk again',
  description:
    'Cuts the power, removes the rescue system with what was written to it, and starts the server.',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, task }),
  message: { en: 'The rescue is being ended.', de: 'Die Rettung wird beendet.' },
  errors: CHANGE_ERRORS,
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  async handle(tx, ctx, _input, found) {
    await mustBeFree(ctx, tx, found);
    if (found.rescue_since === null)
      throw ctx.refusal('state_conflict', {
        members: { current_state: found.state, allowed_states: ['rescue'], suspensions: [] },
      });
    const begun = beginChange(ctx.uow, ctx.sealer, found, { type: RESCUE_END, wanted: {} });
    return { uuid: found.id, task: begun };
  },
});
