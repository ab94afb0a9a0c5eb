import { z } from 'zod';
import { task } from '../../api/task.ts';
import { queuedTask } from '../../business/core/tasks/task.ts';
import { EXPORT, exportUnderWay, requestExport } from '../../business/exports/export.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'account/export',
  summary: 'Have everything that you have here put into a signed archive',
  description:
    'A gzip’d tar: profile, address, users and tokens without secrets, the ledger as a file that proves itself, orders, ' +
    'services, invoices, payments, events, tasks and mails, with a signed list of their hashes. `account/exports` has ' +
    'the link when the task has succeeded; it is kept for seven days. One at a time.',
  audience: 'customer',
  scope: 'account:users',
  security: true,
  input: z.strictObject({}),
  output: z.object({ task }),
  message: { en: 'The archive is being made.', de: 'Das Archiv wird erstellt.' },
  errors: ['state_conflict'],
  example: { input: {} },
  async handle(tx, ctx) {
    const { accountId } = ctx.caller;
    const { uow } = ctx;
    const underWay = await exportUnderWay(tx, accountId, uow.now);
    if (underWay !== null) {
      throw ctx.refusal('state_conflict', {
        members: {
          current_state: underWay.task_state,
          allowed_states: ['succeeded', 'failed'],
          task_uuid: underWay.task_id,
        },
      });
    }
    const taskId = requestExport(uow, accountId);
    return { task: queuedTask(taskId, EXPORT, { type: 'account', uuid: accountId }, uow.now) };
  },
});
