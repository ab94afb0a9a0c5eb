import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { department, priority, ticketState } from '../../api/ticket.ts';
import { listQueue, MOST_COUNTED, workloadOf } from '../../business/support/tickets/queue.ts';
import { operation } from '../../operation.ts';
import { staffTicket, wireStaffTicket } from './ticket.schema.ts';

const { order: _, ...pages } = paging(['due_at', 'updated_at']);

export default operation({
  method: 'GET',
  path: 'staff/ticket-list',
  summary: 'The tickets that wait, and all others',
  description:
    'By `due_at` (the default) those that wait for an answer, what is due first at the top. By `updated_at` all, the ' +
    'latest first. With `unread` also closed ones, whose customers have written a mail since. ' +
    `\`search\` looks into notes too. At most ${MOST_COUNTED} are counted.`,
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject({
    ...pages,
    order: z.enum(['asc', 'desc']).optional().describe('Default: `asc` by `due_at`, `desc` by `updated_at`.'),
    state: ticketState.optional(),
    department: department.optional(),
    priority: priority.optional(),
    customer_uuid: uuid.optional(),
    assigned: z.enum(['me', 'nobody']).optional(),
    overdue: z.boolean().default(false),
    unread: z.boolean().optional(),
  }),
  output: z.object({
    tickets: z.array(staffTicket),
    counts: z.object({
      open: z.int(),
      on_hold: z.int(),
      overdue: z.int(),
      unassigned: z.int(),
      unread: z.int(),
      quarantined: z.int().describe('Mails that wait in `staff/ticket-quarantine`.'),
    }),
    pagination,
  }),
  message: { en: 'These are the tickets.', de: 'Das sind die Tickets.' },
  errors: ['validation_failed'],
  example: { input: { department: 'technical' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const assigned = { me: ctx.caller.userId, nobody: null };
    const filter = {
      state: input.state,
      department: input.department,
      priority: input.priority,
      accountId: input.customer_uuid,
      assignedTo: input.assigned === undefined ? undefined : assigned[input.assigned],
      overdueAt: input.overdue ? ctx.now : undefined,
      unread: input.unread,
      search: input.search,
    };
    const order = input.order ?? (input.sort === 'due_at' ? 'asc' : 'desc');
    const page = { sort: input.sort, order, limit: input.per_page, offset: offsetOf(input) };
    const [{ tickets, total }, counts] = await Promise.all([
      listQueue(ctx.db, filter, page),
      workloadOf(ctx.db, ctx.now),
    ]);
    return {
      tickets: tickets.map((one) => wireStaffTicket(one, ctx)),
      counts,
      pagination: pageOf(input, total),
    };
  },
});
