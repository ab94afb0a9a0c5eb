import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { messageText } from '../../api/ticket.ts';
import { wireTime } from '../../base/time.ts';
import { changeState, customerWrites } from '../../business/support/tickets/answer.ts';
import { authorOf } from '../../business/support/tickets/author.ts';
import { isReopenable } from '../../business/support/tickets/reopen.ts';
import { ticket, ticketNumber } from '../../business/support/tickets/ticket.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'ticket/open',
  summary: 'Open a closed ticket again',
  description: 'For some days after it was closed (`reopenable_until`); later, create a new one.',
  audience: 'customer',
  scope: 'ticket:write',
  input: z.strictObject({ uuid, message: messageText.optional() }),
  output: z.object({ uuid, number: z.string(), state: z.literal('open'), reopened_at: timestamp }),
  message: { en: 'The ticket is open again.', de: 'Das Ticket ist wieder offen.' },
  errors: ['not_found', 'state_conflict', 'reopen_window_expired'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', message: 'It happened again.' } },
  resource: ticket,
  async handle(tx, ctx, input, found) {
    if (found.state !== 'closed')
      throw ctx.refusal('state_conflict', {
        members: { current_state: found.state, allowed_states: ['closed'] },
      });
    if (!isReopenable(found, ctx.uow.now)) throw ctx.refusal('reopen_window_expired');
    const { content } = await ctx.catalogs.newest(tx);
    if (input.message === undefined) {
      await changeState(tx, ctx.uow, found, { state: 'open', by: 'customer' }, content);
    } else {
      const author = await authorOf(tx, ctx.caller.userId);
      const draft = { author: { type: 'customer' as const, ...author }, body: input.message, files: [] };
      await customerWrites(tx, ctx.uow, found, draft, content);
    }
    return {
      uuid: found.id,
      number: ticketNumber(found.number),
      state: 'open' as const,
      reopened_at: wireTime(ctx.uow.now),
    };
  },
});
