import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { notice, wireNotice } from '../../api/notice.ts';
import { endNotice } from '../../business/notifications/notices/notice.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/notice-end',
  summary: 'Take a notice off the dashboards',
  description: 'One that is over stays as it was; one that has not begun never will.',
  audience: 'staff',
  scope: 'staff:technical',
  input: z.strictObject({ uuid }),
  output: notice,
  message: { en: 'The notice has ended.', de: 'Der Hinweis ist beendet.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const ended = await endNotice(tx, input.uuid, ctx.uow.now);
    if (ended === null) throw ctx.refusal('not_found');
    return wireNotice(ended);
  },
});
