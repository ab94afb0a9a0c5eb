import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { discardMail } from '../../business/support/incoming/incoming.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/ticket-quarantine-discard',
  summary: 'Throw away a mail that waits',
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject({ uuid }),
  output: z.object({ uuid }),
  message: { en: 'The mail was discarded.', de: 'Die E-Mail ist verworfen.' },
  errors: ['not_found', 'state_conflict'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const outcome = await discardMail(tx, ctx.uow, input.uuid, ctx.caller.userId);
    if (outcome === 'not_found') throw ctx.refusal('not_found');
    if (outcome !== 'discarded')
      throw ctx.refusal('state_conflict', { members: { current_state: outcome.state } });
    return { uuid: input.uuid };
  },
});
