import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { isOperator } from '../../business/support/tickets/author.ts';
import { lockTicket, saveTicket } from '../../business/support/tickets/ticket.ts';
import { operation } from '../../operation.ts';
import { staffTicket, wireStaffTicket } from './ticket.schema.ts';

export default operation({
  method: 'POST',
  path: 'staff/ticket-assign',
  summary: 'Give a ticket to an operator, or to nobody',
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject({
    uuid,
    operator_uuid: uuid.nullable().optional().describe('Default: you. null: nobody.'),
  }),
  output: staffTicket,
  message: { en: 'The ticket was assigned.', de: 'Das Ticket ist zugewiesen.' },
  errors: ['not_found', 'validation_failed'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const found = await lockTicket(tx, ctx.uow, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    const operator = input.operator_uuid === undefined ? ctx.caller.userId : input.operator_uuid;
    if (operator !== null && !(await isOperator(tx, operator)))
      throw ctx.refusal(
        'validation_failed',
        fieldProblem('/operator_uuid', 'not_allowed', 'There is no such operator.'),
      );
    const assigned = { ...found, assigned_to: operator };
    await saveTicket(tx, assigned);
    return wireStaffTicket(assigned, ctx);
  },
});
