import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { department, noDepartment, priority, ticketState } from '../../api/ticket.ts';
import { changeState } from '../../business/support/tickets/answer.ts';
import { rated } from '../../business/support/tickets/clock.ts';
import { lockTicket, saveTicket } from '../../business/support/tickets/ticket.ts';
import { operation } from '../../operation.ts';
import { staffTicket, wireStaffTicket } from './ticket.schema.ts';

export default operation({
  method: 'POST',
  path: 'staff/ticket-update',
  summary: 'Change state, priority or department of a ticket',
  description:
    'What is due is worked out again, from when the ticket began to wait. A customer whose ticket is closed by this is ' +
    'told by mail.',
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject({
    uuid,
    state: ticketState.optional(),
    priority: priority.optional(),
    department: department.optional(),
  }),
  output: staffTicket,
  message: { en: 'The ticket was changed.', de: 'Das Ticket wurde geändert.' },
  errors: ['not_found', 'state_conflict', 'validation_failed'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', priority: 'urgent' } },
  async handle(tx, ctx, input) {
    const catalog = await ctx.catalogs.newest(tx);
    const unknown = input.department === undefined ? null : noDepartment(catalog, input.department);
    if (unknown !== null) throw ctx.refusal('validation_failed', unknown);
    const found = await lockTicket(tx, ctx.uow, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    if (found.merged_into !== null && input.state !== undefined && input.state !== 'closed')
      throw ctx.refusal('state_conflict', {
        members: { current_state: found.state, merged_into: found.merged_into },
      });
    const { uow } = ctx;
    const wanted = {
      ...found,
      priority: input.priority ?? found.priority,
      department: input.department ?? found.department,
      updated_at: uow.now,
    };
    const sold = catalog.content;
    if (input.state !== undefined && input.state !== found.state) {
      const changed = await changeState(tx, uow, wanted, { state: input.state, by: 'staff' }, sold);
      return wireStaffTicket(changed, ctx);
    }
    const changed = rated(wanted, sold);
    await saveTicket(tx, changed);
    return wireStaffTicket(changed, ctx);
  },
});
