import { z } from 'zod';
import { giveUpChange, goesOn, openChange } from '../../business/servers/giving-up.ts';
import { lockService } from '../../business/services/suspension.ts';
import { operation } from '../../operation.ts';
import { uuid } from '../../shapes/field.ts';

export default operation({
  method: 'POST',
  path: 'staff/task-cancel',
  summary: 'Give up work on a server whose hypervisor does not answer',
  description:
    'The task is cancelled, what it had reserved is free, and the server can be worked on again. Refused while the ' +
    'hypervisor answers and the task is younger than an hour: it goes on by itself then. What was commanded may still ' +
    'take effect: when the hypervisor is back, the power is made what it should be, and what else differs is reported.',
  audience: 'staff',
  scope: 'staff:write',
  input: z.strictObject({
    uuid: uuid.describe('The task: of a power action, reinstallation, password, size, snapshot or backup.'),
    reason: z.string().trim().max(1000).default('').describe('For operators.'),
  }),
  output: z.object({ uuid, type: z.string(), server_uuid: uuid }),
  message: { en: 'The task is being cancelled.', de: 'Die Aufgabe wird abgebrochen.' },
  errors: ['not_found', 'state_conflict'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', reason: 'The host burnt down.' } },
  async ask({ db, ports, now }, input) {
    const change = await openChange(db, input.uuid);
    return change === null ? null : { change, goesOn: await goesOn(ports.hypervisor, change, now) };
  },
  async handle(tx, ctx, input, _subject, asked) {
    if (asked === null) throw ctx.refusal('not_found');
    const { change } = asked;
    if (asked.goesOn)
      throw ctx.refusal('state_conflict', {
        members: { current_state: 'running', task_type: change.type, server_uuid: change.server_id },
      });
    await lockService(tx, ctx.frame, change.server_id);
    if (!(await giveUpChange(tx, ctx.frame, input.uuid, change))) throw ctx.refusal('not_found');
    return { uuid: input.uuid, type: change.type, server_uuid: change.server_id };
  },
});
