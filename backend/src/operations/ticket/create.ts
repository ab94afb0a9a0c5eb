import { z } from 'zod';
import { attachmentsInput, FILES_BODY_LIMIT, filesOf, mustFitAccount } from '../../api/attachment.ts';
import { timestamp, uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { line } from '../../api/text.ts';
import {
  askedPriority,
  department,
  messageText,
  noDepartment,
  priority,
  resourceInput,
  resourceRef,
  wireResource,
} from '../../api/ticket.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { fits } from '../../business/support/attachments/attachment.ts';
import { authorOf } from '../../business/support/tickets/author.ts';
import { openTicket, ownsResource } from '../../business/support/tickets/open.ts';
import { ticketNumber } from '../../business/support/tickets/ticket.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'ticket/create',
  summary: 'Ask the provider something',
  description:
    'Use an `Idempotency-Key`. A ticket that says the same as one of the last ten minutes is created all the same, ' +
    'and names that one in `duplicate_of`.',
  audience: 'customer',
  scope: 'ticket:write',
  bodyLimit: FILES_BODY_LIMIT,
  input: z.strictObject({
    subject: line(200).refine((text) => text.length >= 3, 'At least 3 characters.'),
    message: messageText,
    department: department.describe('One of `ticket/departments`.'),
    priority: askedPriority.default('normal'),
    resource: resourceInput.optional().describe('What it is about, of your own.'),
    attachments: attachmentsInput,
  }),
  output: z.object({
    uuid,
    number: z.string(),
    subject: z.string(),
    department: z.string(),
    priority,
    state: z.literal('open'),
    resource: resourceRef.nullable(),
    first_response_due_at: timestamp.nullable(),
    duplicate_of: uuid.nullable(),
    created_at: timestamp,
  }),
  message: { en: 'Your ticket was created.', de: 'Ihr Ticket wurde angelegt.' },
  errors: ['limit_reached', 'validation_failed', 'payload_too_large'],
  secrets: ['content_base64'],
  example: {
    input: {
      subject: 'My server does not start',
      message: 'Since this morning it stays off.',
      department: 'technical',
    },
  },
  async handle(tx, ctx, input) {
    const { accountId, userId, resourceAllowlist } = ctx.caller;
    const catalog = await ctx.catalogs.newest(tx);
    const unknown = noDepartment(catalog, input.department);
    if (unknown !== null) throw ctx.refusal('validation_failed', unknown);
    const files = filesOf(ctx, input.attachments);
    mustFitAccount(ctx, await fits(tx, accountId, files, catalog.content), catalog.content);
    const resource =
      input.resource === undefined ? null : { type: input.resource.type, id: input.resource.uuid };
    // A token for certain things asks about those only: it would not see any other ticket afterwards.
    const mayAsk =
      resourceAllowlist === null || (resource !== null && resourceAllowlist.includes(resource.id));
    if (!mayAsk || (resource !== null && !(await ownsResource(tx, accountId, resource))))
      throw ctx.refusal(
        'validation_failed',
        fieldProblem('/resource', 'not_allowed', 'Nothing of yours has this identifier.'),
      );
    const ticket = await openTicket(
      tx,
      ctx.uow,
      {
        accountId,
        requester: await authorOf(tx, userId),
        subject: input.subject,
        body: input.message,
        department: input.department,
        priority: input.priority,
        resource,
        files,
      },
      catalog.content,
    );
    return {
      uuid: ticket.id,
      number: ticketNumber(ticket.number),
      subject: ticket.subject,
      department: ticket.department,
      priority: ticket.priority,
      state: 'open' as const,
      resource: wireResource(ticket),
      first_response_due_at: wireTimeOrNull(ticket.first_response_due_at),
      duplicate_of: ticket.duplicate_of,
      created_at: wireTime(ticket.created_at),
    };
  },
});
