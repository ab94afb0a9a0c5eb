import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task as shape } from '../../api/task.ts';
import { task, wireTask } from '../../business/core/tasks/task.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'task/details',
  summary: 'How far a task has come',
  audience: 'customer',
  scope: 'task:read',
  input: z.strictObject({ uuid }),
  output: z.object({ task: shape }),
  message: { en: 'The task was found.', de: 'Die Aufgabe wurde gefunden.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: task,
  read: (ctx, _input, found) => ({ task: wireTask(found, ctx.locale) }),
});
