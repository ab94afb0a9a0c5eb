import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { revokeInvitation } from '../../business/core/people/invitation.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'account/invitation-revoke',
  summary: 'Take an open invitation back',
  audience: 'customer',
  scope: 'account:users',
  security: true,
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, revoked: z.boolean() }),
  message: { en: 'The invitation was taken back.', de: 'Die Einladung wurde zurückgenommen.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const revoked = await revokeInvitation(tx, ctx.caller.accountId, input.uuid, ctx.uow.now);
    if (!revoked) throw ctx.refusal('not_found');
    return { uuid: input.uuid, revoked: true };
  },
});
