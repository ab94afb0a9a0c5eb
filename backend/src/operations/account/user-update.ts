import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { demandOwnSecondFactor } from '../../api/second-factor.ts';
import { demandChangeable, demandScopesOf, invitedRole, user, userState, wireUser } from '../../api/user.ts';
import { scopesWithin } from '../../business/core/access/scope.ts';
import { changeUser, lockUser, type User } from '../../business/core/people/user.ts';
import { operation } from '../../operation.ts';
import {
  checkReauthentication,
  demandReauthentication,
  REAUTHENTICATION_ERRORS,
  reauthentication,
} from './reauthentication.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/user-update',
  summary: "Change a person's role, or switch them off or on",
  description:
    'Their sessions end, and so do API tokens that may do more than the new role. The other API tokens of a ' +
    'disabled person are refused until they are active again. The owner and you yourself cannot be changed. What lets ' +
    'somebody do more than before asks for your second factor, if you have one; what makes an administrator of them asks ' +
    'for your password if you have none.',
  audience: 'customer',
  scope: 'account:users',
  security: true,
  input: z.strictObject({
    uuid,
    role: invitedRole.optional(),
    state: userState.optional(),
    ...reauthentication,
  }),
  output: user,
  message: { en: 'The person was changed.', de: 'Die Person wurde geändert.' },
  errors: ['not_found', 'person_protected', 'scope_missing', ...REAUTHENTICATION_ERRORS],
  secrets: ['password', 'code'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', role: 'readonly' } },
  ask: checkReauthentication,
  async handle(tx, ctx, input, _subject, checked) {
    const { accountId, userId } = ctx.caller;
    const found = await lockUser(tx, accountId, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    demandChangeable(ctx, found);
    const role = input.role ?? invitedRole.parse(found.role);
    demandScopesOf(ctx, role);
    const state = input.state ?? found.state;
    if (mayDoMore(found, { role, state })) {
      if (role === 'admin') await demandReauthentication(tx, ctx, input, checked);
      else await demandOwnSecondFactor(tx, ctx, input.code);
    }
    const change = { uow: ctx.uow, accountId, byUserId: userId };
    return wireUser(await changeUser(tx, found, { role, state }, change));
  },
});

function mayDoMore(before: User, wanted: Pick<User, 'role' | 'state'>): boolean {
  if (wanted.state !== 'active') return false;
  if (before.state !== 'active') return true;
  const had = scopesWithin(before.role);
  return scopesWithin(wanted.role).some((scope) => !had.includes(scope));
}
