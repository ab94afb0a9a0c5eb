import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { lockPair, mergeTickets } from '../../business/support/tickets/merge.ts';
import { operation } from '../../operation.ts';
import { staffTicket, wireStaffTicket } from './ticket.schema.ts';

export default operation({
  method: 'POST',
  path: 'staff/ticket-merge',
  summary: 'Move everything of a ticket into another of the same customer',
  description: 'The first one is closed, and later answers to it go to the other.',
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject({ uuid, into_uuid: uuid }),
  output: z.object({ merged: staffTicket, into: staffTicket }),
  message: { en: 'The tickets were merged.', de: 'Die Tickets wurden zusammengeführt.' },
  errors: ['not_found', 'state_conflict', 'validation_failed'],
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      into_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b12',
    },
  },
  async handle(tx, ctx, input) {
    const other = (message: string) =>
      ctx.refusal('validation_failed', fieldProblem('/into_uuid', 'not_allowed', message));
    if (input.uuid === input.into_uuid) throw other('A ticket is not merged into itself.');
    const pair = await lockPair(tx, ctx.uow, input.uuid, input.into_uuid);
    if (pair === null) throw ctx.refusal('not_found');
    if (pair === 'of_two_customers') throw other('It is another customer’s.');
    const [from, into] = pair;
    const gone = [from, into].find(({ merged_into }) => merged_into !== null);
    if (gone !== undefined)
      throw ctx.refusal('state_conflict', {
        members: { current_state: gone.state, merged_into: gone.merged_into },
      });
    const { content } = await ctx.catalogs.newest(tx);
    const merged = await mergeTickets(tx, ctx.uow, { from, into }, content);
    return { merged: wireStaffTicket(merged.from, ctx), into: wireStaffTicket(merged.into, ctx) };
  },
});
