import { z } from 'zod';
import { changeUser, lockUser } from '../../business/people/user.ts';
import { operation } from '../../operation.ts';
import { uuid } from '../../shapes/field.ts';
import {
  demandChangeable,
  demandScopesOf,
  invitedRole,
  user,
  userState,
  wireUser,
} from '../../shapes/user.ts';

export default operation({
  method: 'POST',
  path: 'account/user-update',
  summary: "Change a person's role, or switch him off or on",
  description:
    'His sessions end, and so do API tokens that may do more than the new role. The other API tokens of a ' +
    'disabled person are refused until he is active again. The owner and you yourself cannot be changed.',
  audience: 'customer',
  scope: 'account:users',
  security: true,
  input: z.strictObject({ uuid, role: invitedRole.optional(), state: userState.optional() }),
  output: user,
  message: { en: 'The person was changed.', de: 'Die Person wurde geändert.' },
  errors: ['not_found', 'person_protected', 'scope_missing'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', role: 'readonly' } },
  async handle(tx, ctx, input) {
    const { accountId, userId } = ctx.caller;
    const found = await lockUser(tx, accountId, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    demandChangeable(ctx, found);
    const role = input.role ?? invitedRole.parse(found.role);
    demandScopesOf(ctx, role);
    const state = input.state ?? found.state;
    const change = { frame: ctx.frame, accountId, byUserId: userId };
    return wireUser(await changeUser(tx, found, { role, state }, change));
  },
});
