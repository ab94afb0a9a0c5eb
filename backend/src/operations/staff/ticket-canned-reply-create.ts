import { z } from 'zod';
import { line } from '../../api/text.ts';
import { department, messageText, noDepartment } from '../../api/ticket.ts';
import { addCannedReply } from '../../business/support/tickets/canned-reply.ts';
import { operation } from '../../operation.ts';
import { cannedReply, wireCannedReply } from './ticket.schema.ts';

export default operation({
  method: 'POST',
  path: 'staff/ticket-canned-reply-create',
  summary: 'Prepare an answer that is given often',
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject({
    title: line(100),
    body: z.strictObject({ en: messageText, de: messageText }),
    department: department.nullable().default(null),
  }),
  output: cannedReply,
  message: { en: 'The answer was prepared.', de: 'Die Antwort ist vorbereitet.' },
  errors: ['already_exists', 'validation_failed'],
  example: {
    input: {
      title: 'Restart',
      body: { en: 'Please restart your server.', de: 'Bitte starten Sie Ihren Server neu.' },
    },
  },
  async handle(tx, ctx, input) {
    const unknown = input.department === null ? null : noDepartment(ctx.catalog, input.department);
    if (unknown !== null) throw ctx.refusal('validation_failed', unknown);
    const added = await addCannedReply(tx, input, { userId: ctx.caller.userId, now: ctx.uow.now });
    if (added === null) throw ctx.refusal('already_exists');
    return wireCannedReply(added);
  },
});
