import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { acceptMail } from '../../business/support/incoming/incoming.ts';
import { ticketNumber } from '../../business/support/tickets/ticket.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/ticket-quarantine-accept',
  summary: 'Add a mail to a ticket after all',
  description:
    'In the name that the mail bears: look first whether it is really from the customer. A closed ticket opens by it.',
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject({
    uuid,
    ticket_uuid: uuid.optional().describe('Default: the ticket that its address was made for.'),
  }),
  output: z.object({
    uuid,
    ticket: z.object({ uuid, number: z.string() }),
    message_uuid: uuid,
    left_out: z.array(z.string()).describe('Names of files that cannot be kept.'),
  }),
  message: { en: 'The mail is in the ticket.', de: 'Die E-Mail ist im Ticket.' },
  errors: ['not_found', 'state_conflict', 'validation_failed'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const { content } = await ctx.catalogs.newest(tx);
    const asked = { id: input.uuid, ticketId: input.ticket_uuid ?? null, operatorId: ctx.caller.userId };
    const outcome = await acceptMail(tx, ctx.uow, asked, content);
    switch (outcome.kind) {
      case 'not_found':
        throw ctx.refusal('not_found');
      case 'handled':
        throw ctx.refusal('state_conflict', { members: { current_state: outcome.state } });
      case 'no_ticket':
        throw ctx.refusal(
          'validation_failed',
          fieldProblem('/ticket_uuid', 'required', 'Name the ticket: the address names none that there is.'),
        );
      case 'accepted':
        return {
          uuid: input.uuid,
          ticket: { uuid: outcome.ticket.id, number: ticketNumber(outcome.ticket.number) },
          message_uuid: outcome.messageId,
          left_out: [...outcome.leftOut],
        };
    }
  },
});
