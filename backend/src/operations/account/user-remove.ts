import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { demandChangeable } from '../../api/user.ts';
import { lockUser, removeUser } from '../../business/core/people/user.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'account/user-remove',
  summary: 'Remove a person from your account',
  description:
    'Their sessions and API tokens end at once, and their address can be invited or registered again. What they did ' +
    "stays in the account's log under their name. The owner and you yourself cannot be removed.",
  audience: 'customer',
  scope: 'account:users',
  security: true,
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, removed: z.boolean() }),
  message: { en: 'The person was removed.', de: 'Die Person wurde entfernt.' },
  errors: ['not_found', 'person_protected'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const { accountId, userId } = ctx.caller;
    const found = await lockUser(tx, accountId, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    demandChangeable(ctx, found);
    await removeUser(tx, found, { uow: ctx.uow, accountId, byUserId: userId });
    return { uuid: found.id, removed: true };
  },
});
