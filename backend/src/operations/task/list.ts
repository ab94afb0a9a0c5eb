import { sql } from 'kysely';
import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { task } from '../../api/task.ts';
import { type Task, wireTask } from '../../business/core/tasks/task.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'task/list',
  summary: 'Your tasks',
  audience: 'customer',
  scope: 'task:read',
  input: z.strictObject({
    ...paging(['created_at']),
    state: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']).optional(),
    resource_uuid: uuid.optional().describe('Only tasks about this server, domain, webspace or license.'),
  }),
  output: z.object({ tasks: z.array(task), pagination }),
  message: { en: 'These are your tasks.', de: 'Das sind Ihre Aufgaben.' },
  errors: ['validation_failed'],
  example: { input: { page: 1 } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    let found = ctx.db.kysely.selectFrom('tasks').where('account_id', '=', ctx.caller.accountId);
    if (input.state !== undefined) found = found.where('state', '=', input.state);
    if (input.resource_uuid !== undefined) found = found.where('resource_id', '=', input.resource_uuid);
    if (input.search !== undefined) found = found.where('type', 'ilike', containing(input.search));
    const { resourceAllowlist } = ctx.caller;
    if (resourceAllowlist !== null) {
      found = found.where(sql<boolean>`resource_id = ANY(${[...resourceAllowlist]}::uuid[])`);
    }
    const [rows, count] = await Promise.all([
      found
        .selectAll()
        .orderBy('created_at', input.order)
        .orderBy('id', input.order)
        .limit(input.per_page)
        .offset(offsetOf(input))
        .execute(),
      found.select((of) => of.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
    ]);
    return {
      tasks: rows.map((row) => wireTask({ ...row, state: row.state as Task['state'] }, ctx.locale)),
      pagination: pageOf(input, Number(count.total)),
    };
  },
});
