import { z } from 'zod';
import { attachmentsInput, FILES_BODY_LIMIT, filesOf } from '../../api/attachment.ts';
import { uuid } from '../../api/field.ts';
import { message, messageText, wireMessage } from '../../api/ticket.ts';
import { staffNotes } from '../../business/support/tickets/answer.ts';
import { authorOf } from '../../business/support/tickets/author.ts';
import { lockTicket } from '../../business/support/tickets/ticket.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/ticket-note',
  summary: 'Write down in a ticket what only operators see',
  audience: 'staff',
  scope: 'staff:tickets',
  bodyLimit: FILES_BODY_LIMIT,
  input: z.strictObject({ uuid, message: messageText, attachments: attachmentsInput }),
  output: z.object({ message }),
  message: { en: 'The note was added.', de: 'Die Notiz wurde hinzugefügt.' },
  errors: ['not_found', 'validation_failed', 'payload_too_large'],
  secrets: ['content_base64'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', message: 'Asked the data centre.' } },
  async handle(tx, ctx, input) {
    const files = filesOf(ctx, input.attachments);
    const found = await lockTicket(tx, ctx.uow, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    const operator = await authorOf(tx, ctx.caller.userId);
    const said = await staffNotes(tx, ctx.uow, found, { operator, body: input.message, files });
    return { message: wireMessage(ctx, said.message, said.attachments) };
  },
});
