import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { messageText, wireReopenableUntil } from '../../api/ticket.ts';
import { wireTimeOrNull } from '../../base/time.ts';
import { changeState, customerWrites } from '../../business/support/tickets/answer.ts';
import { authorOf } from '../../business/support/tickets/author.ts';
import { lastMessage } from '../../business/support/tickets/message.ts';
import { saveTicket, type Ticket, ticket, ticketNumber } from '../../business/support/tickets/ticket.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'ticket/close',
  summary: 'Close a ticket, and say how it went',
  description:
    'Closing what is closed changes nothing, except that a ticket without a rating takes one. Another message than ' +
    'the one that it was closed with is refused: the ticket would have to be opened again first.',
  audience: 'customer',
  scope: 'ticket:write',
  input: z.strictObject({ uuid, message: messageText.optional(), rating: z.int().min(1).max(5).optional() }),
  output: z.object({
    uuid,
    number: z.string(),
    state: z.literal('closed'),
    closed_at: timestamp.nullable(),
    reopenable_until: timestamp.nullable(),
    rating: z.int().nullable(),
  }),
  message: { en: 'The ticket is closed.', de: 'Das Ticket ist geschlossen.' },
  errors: ['not_found', 'ticket_closed'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', rating: 5 } },
  resource: ticket,
  async handle(tx, ctx, input, found) {
    const { message, rating } = input;
    const { content } = await ctx.catalogs.newest(tx);
    let closed: Ticket = found;
    if (found.state === 'closed') {
      if (message !== undefined && (await lastMessage(tx, found.id))?.body !== message)
        throw ctx.refusal('ticket_closed');
      if (rating !== undefined && found.rating === null) {
        closed = { ...found, rating };
        await saveTicket(tx, closed);
      }
    } else if (message === undefined) {
      const wanted = { state: 'closed', by: 'customer', rating: rating ?? found.rating } as const;
      closed = await changeState(tx, ctx.uow, found, wanted, content);
    } else {
      const author = await authorOf(tx, ctx.caller.userId);
      const draft = { author: { type: 'customer' as const, ...author }, body: message, files: [] };
      const then = { state: 'closed', ...(rating === undefined ? {} : { rating }) } as const;
      closed = (await customerWrites(tx, ctx.uow, found, draft, content, then)).ticket;
    }
    return {
      uuid: found.id,
      number: ticketNumber(found.number),
      state: 'closed' as const,
      closed_at: wireTimeOrNull(closed.closed_at),
      reopenable_until: wireReopenableUntil(closed, ctx),
      rating: closed.rating,
    };
  },
});
