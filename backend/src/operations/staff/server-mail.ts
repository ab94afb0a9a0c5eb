import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { lockService } from '../../business/selling/subscriptions/suspension.ts';
import { openMail } from '../../business/servers/network/network-access.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/server-mail',
  summary: 'Let a server send mail to other servers, or keep it from that',
  description:
    'Opens or closes TCP port 25 to the outside, which is closed until this. Reinstallations change nothing.',
  audience: 'staff',
  scope: 'staff:technical',
  input: z.strictObject({ uuid, open: z.boolean() }),
  output: z.object({ uuid, open: z.boolean() }),
  message: { en: 'The port is set.', de: 'Der Port ist gesetzt.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', open: true } },
  async handle(tx, ctx, input) {
    const service = await lockService(tx, ctx.uow, input.uuid);
    if (service?.product !== 'server') throw ctx.refusal('not_found');
    await openMail(tx, ctx.uow, service.id, input.open);
    return { uuid: service.id, open: input.open };
  },
});
