import { z } from 'zod';
import { attachmentsInput, FILES_BODY_LIMIT, filesOf, mustFitAccount } from '../../api/attachment.ts';
import { timestamp, uuid } from '../../api/field.ts';
import { message, messageText, ticketState, wireMessage } from '../../api/ticket.ts';
import { wireTime } from '../../base/time.ts';
import { fits } from '../../business/support/attachments/attachment.ts';
import { customerWrites } from '../../business/support/tickets/answer.ts';
import { authorOf } from '../../business/support/tickets/author.ts';
import { ticket, ticketNumber } from '../../business/support/tickets/ticket.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'ticket/message',
  summary: 'Write in a ticket',
  description: 'The ticket then waits for the provider, or is closed with `close`.',
  audience: 'customer',
  scope: 'ticket:write',
  bodyLimit: FILES_BODY_LIMIT,
  input: z.strictObject({
    uuid,
    message: messageText,
    attachments: attachmentsInput,
    close: z.boolean().default(false),
  }),
  output: z.object({
    message,
    ticket: z.object({ uuid, number: z.string(), state: ticketState, updated_at: timestamp }),
  }),
  message: { en: 'Your message was added.', de: 'Ihre Nachricht wurde hinzugefügt.' },
  errors: ['not_found', 'ticket_closed', 'limit_reached', 'validation_failed', 'payload_too_large'],
  secrets: ['content_base64'],
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      message: 'It works again, **thank you**.',
      close: true,
    },
  },
  resource: ticket,
  async handle(tx, ctx, input, found) {
    if (found.state === 'closed') throw ctx.refusal('ticket_closed');
    const files = filesOf(ctx, input.attachments);
    const { content } = await ctx.catalogs.newest(tx);
    mustFitAccount(ctx, await fits(tx, found.account_id, files, content), content);
    const author = await authorOf(tx, ctx.caller.userId);
    const said = await customerWrites(
      tx,
      ctx.uow,
      found,
      { author: { type: 'customer', ...author }, body: input.message, files },
      content,
      { state: input.close ? 'closed' : 'open' },
    );
    return {
      message: wireMessage(ctx, said.message, said.attachments),
      ticket: {
        uuid: found.id,
        number: ticketNumber(found.number),
        state: said.ticket.state,
        updated_at: wireTime(said.ticket.updated_at),
      },
    };
  },
});
