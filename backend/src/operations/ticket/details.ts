import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { ticketDetails, wireTicketDetails } from '../../api/ticket.ts';
import { ticket } from '../../business/support/tickets/ticket.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'ticket/details',
  summary: 'Everything about a ticket but its messages',
  audience: 'customer',
  scope: 'ticket:read',
  input: z.strictObject({ uuid }),
  output: ticketDetails,
  message: { en: 'The ticket was found.', de: 'Das Ticket wurde gefunden.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: ticket,
  read: (ctx, _input, found) => wireTicketDetails(found, found.customer_unread, ctx),
});
