import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { removeCannedReply } from '../../business/support/tickets/canned-reply.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/ticket-canned-reply-delete',
  summary: 'Remove a prepared answer',
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject({ uuid }),
  output: z.object({ uuid }),
  message: { en: 'The prepared answer was removed.', de: 'Die vorbereitete Antwort ist gelöscht.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    if (!(await removeCannedReply(tx, input.uuid))) throw ctx.refusal('not_found');
    return { uuid: input.uuid };
  },
});
