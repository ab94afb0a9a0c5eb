import { z } from 'zod';
import { offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { department } from '../../api/ticket.ts';
import { listCannedReplies } from '../../business/support/tickets/canned-reply.ts';
import { operation } from '../../operation.ts';
import { cannedReply, wireCannedReply } from './ticket.schema.ts';

const { page, per_page } = paging(['title']);

export default operation({
  method: 'GET',
  path: 'staff/ticket-canned-replies',
  summary: 'Answers that are given often',
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject({
    page,
    per_page,
    department: department.optional().describe('Those of this department and of all.'),
  }),
  output: z.object({ replies: z.array(cannedReply), pagination }),
  message: { en: 'These are the prepared answers.', de: 'Das sind die vorbereiteten Antworten.' },
  errors: ['validation_failed'],
  example: { input: { department: 'technical' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { replies, total } = await listCannedReplies(ctx.db, input.department ?? null, {
      limit: input.per_page,
      offset: offsetOf(input),
    });
    return { replies: replies.map(wireCannedReply), pagination: pageOf(input, total) };
  },
});
