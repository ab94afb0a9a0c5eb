import { z } from 'zod';
import { attachmentsInput, FILES_BODY_LIMIT, filesOf } from '../../api/attachment.ts';
import { uuid } from '../../api/field.ts';
import { message, messageText, ticketState, wireMessage } from '../../api/ticket.ts';
import { staffAnswers } from '../../business/support/tickets/answer.ts';
import { authorOf } from '../../business/support/tickets/author.ts';
import { lockTicket } from '../../business/support/tickets/ticket.ts';
import { operation } from '../../operation.ts';
import { staffTicket, wireStaffTicket } from './ticket.schema.ts';

export default operation({
  method: 'POST',
  path: 'staff/ticket-reply',
  summary: 'Answer a customer',
  description:
    'Whoever asked is told by mail. A ticket that nobody has is yours with your answer. `state: open`: there is more ' +
    'to do. Use `staff/ticket-note` for what customers must not see.',
  audience: 'staff',
  scope: 'staff:tickets',
  bodyLimit: FILES_BODY_LIMIT,
  input: z.strictObject({
    uuid,
    message: messageText,
    attachments: attachmentsInput,
    state: ticketState.default('answered'),
  }),
  output: z.object({ message, ticket: staffTicket }),
  message: { en: 'The customer was answered.', de: 'Dem Kunden wurde geantwortet.' },
  errors: ['not_found', 'state_conflict', 'validation_failed', 'payload_too_large'],
  secrets: ['content_base64'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', message: 'Please try again.' } },
  async handle(tx, ctx, input) {
    const files = filesOf(ctx, input.attachments);
    const found = await lockTicket(tx, ctx.uow, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    // What was merged goes on elsewhere.
    if (found.merged_into !== null)
      throw ctx.refusal('state_conflict', {
        members: { current_state: found.state, merged_into: found.merged_into },
      });
    const { content } = await ctx.catalogs.newest(tx);
    const operator = await authorOf(tx, ctx.caller.userId);
    const draft = { operator, body: input.message, files };
    const said = await staffAnswers(tx, ctx.uow, found, draft, input.state, content);
    return {
      message: wireMessage(ctx, said.message, said.attachments),
      ticket: wireStaffTicket(said.ticket, ctx),
    };
  },
});
