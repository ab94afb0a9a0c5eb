import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { offsetOf, pageOf, pagination, tooDeep } from '../../api/page.ts';
import { message, wireMessage } from '../../api/ticket.ts';
import { messagePaging, sinceOf } from '../../api/ticket-messages.ts';
import { attachmentsOf } from '../../business/support/attachments/attachment.ts';
import { findTicket } from '../../business/support/tickets/find.ts';
import { listMessages } from '../../business/support/tickets/message.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'staff/ticket-messages',
  summary: 'What was said in a ticket, with the notes of operators',
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject({ uuid, ...messagePaging }),
  output: z.object({ uuid, messages: z.array(message), pagination }),
  message: { en: 'These are the messages.', de: 'Das sind die Nachrichten.' },
  errors: ['not_found', 'validation_failed'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const since = sinceOf(ctx, input.after);
    const found = await findTicket(ctx.db, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    const page = { since, order: input.order, limit: input.per_page, offset: offsetOf(input) };
    const { messages, total } = await listMessages(ctx.db, found.id, { notes: true }, page);
    const files = await attachmentsOf(
      ctx.db,
      messages.map(({ id }) => id),
    );
    return {
      uuid: found.id,
      messages: messages.map((one) => wireMessage(ctx, one, files.get(one.id) ?? [])),
      pagination: pageOf(input, total),
    };
  },
});
