import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { readUpTo } from '../../business/support/tickets/message.ts';
import { lockTicket, saveTicket } from '../../business/support/tickets/ticket.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/ticket-read',
  summary: 'Say that a ticket was read, for all operators',
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject({
    uuid,
    until: uuid.optional().describe('The last message that was seen; default: all.'),
  }),
  output: z.object({ uuid, unread: z.int() }),
  message: { en: 'The ticket was read.', de: 'Das Ticket ist gelesen.' },
  errors: ['not_found', 'validation_failed'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const found = await lockTicket(tx, ctx.uow, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    const read = await readUpTo(tx, found, 'staff', input.until);
    if (read === null)
      throw ctx.refusal(
        'validation_failed',
        fieldProblem('/until', 'not_allowed', 'The ticket has no such message.'),
      );
    await saveTicket(tx, read);
    return { uuid: found.id, unread: read.staff_unread };
  },
});
