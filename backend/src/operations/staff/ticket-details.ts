import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { findTicket } from '../../business/support/tickets/find.ts';
import { operation } from '../../operation.ts';
import { staffTicket, wireStaffTicket } from './ticket.schema.ts';

export default operation({
  method: 'GET',
  path: 'staff/ticket-details',
  summary: 'A ticket of any customer',
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject({ uuid }),
  output: staffTicket,
  message: { en: 'The ticket was found.', de: 'Das Ticket wurde gefunden.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async read(ctx, input) {
    const found = await findTicket(ctx.db, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    return wireStaffTicket(found, ctx);
  },
});
