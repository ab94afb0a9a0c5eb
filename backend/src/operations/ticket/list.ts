import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { department, listedTicket, ticketCounts, ticketState, wireListedTicket } from '../../api/ticket.ts';
import { listTickets } from '../../business/support/tickets/list.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'ticket/list',
  summary: 'Your tickets',
  description:
    '`search` takes words of one message or of the subject, in whatever form, or a number such as `T-000123`.',
  audience: 'customer',
  scope: 'ticket:read',
  input: z.strictObject({
    ...paging(['updated_at', 'created_at']),
    state: ticketState.optional(),
    department: department.optional(),
    resource_uuid: uuid.optional(),
  }),
  output: z.object({ tickets: z.array(listedTicket), counts: ticketCounts, pagination }),
  message: { en: 'These are your tickets.', de: 'Das sind Ihre Tickets.' },
  errors: ['validation_failed'],
  example: { input: { state: 'answered' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { tickets, counts, total } = await listTickets(
      ctx.db,
      ctx.caller.accountId,
      {
        state: input.state,
        department: input.department,
        resourceId: input.resource_uuid,
        search: input.search,
        only: ctx.caller.resourceAllowlist,
      },
      { sort: input.sort, order: input.order, limit: input.per_page, offset: offsetOf(input) },
    );
    return {
      tickets: tickets.map((one) => wireListedTicket(one, one.customer_unread, ctx.locale)),
      counts,
      pagination: pageOf(input, total),
    };
  },
});
