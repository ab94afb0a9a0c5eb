import { z } from 'zod';
import { countAttempt } from '../../api/attempt.ts';
import { email } from '../../api/person.ts';
import { demandOwnSecondFactor } from '../../api/second-factor.ts';
import { demandScopesOf, invitation, invitedRole } from '../../api/user.ts';
import { wireTime } from '../../base/time.ts';
import { LIMITS } from '../../business/core/access/limits.ts';
import { invite } from '../../business/core/people/invitation.ts';
import { lockPerson } from '../../business/core/people/person.ts';
import { usersOf } from '../../business/core/people/user.ts';
import { operation } from '../../operation.ts';
import {
  checkReauthentication,
  demandReauthentication,
  REAUTHENTICATION_ERRORS,
  reauthentication,
} from './reauthentication.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/user-invite',
  summary: 'Invite somebody to your account',
  description:
    'Mails a link that is good once, for seven days. Inviting an address again replaces its open invitation. ' +
    'The role can be none that may do more than your token. To invite an administrator, a session shows the second ' +
    'factor, or else the password.',
  audience: 'customer',
  scope: 'account:users',
  security: true,
  input: z.strictObject({ email, role: invitedRole, ...reauthentication }),
  output: invitation,
  message: { en: 'The invitation was mailed.', de: 'Die Einladung ist unterwegs.' },
  errors: ['already_exists', 'scope_missing', ...REAUTHENTICATION_ERRORS],
  secrets: ['password', 'code'],
  example: { input: { email: 'grace@example.com', role: 'technical' } },
  async ask(ctx, input) {
    const checked = await checkReauthentication(ctx, input);
    await countAttempt(ctx, LIMITS.invitation(ctx.caller.accountId));
    return checked;
  },
  async handle(tx, ctx, { password, code, ...input }, _subject, checked) {
    if (input.role === 'admin') await demandReauthentication(tx, ctx, { code }, checked);
    else await demandOwnSecondFactor(tx, ctx, code);
    demandScopesOf(ctx, input.role);
    const users = await usersOf(tx, ctx.caller.accountId);
    if (users.some((user) => user.email === input.email)) throw ctx.refusal('already_exists');
    const by = await lockPerson(tx, ctx.caller.userId);
    const invited = await invite(tx, ctx.uow, { ...by, account_id: ctx.caller.accountId }, input, ctx);
    return {
      uuid: invited.id,
      ...input,
      created_at: wireTime(ctx.uow.now),
      expires_at: wireTime(invited.expiresAt),
    };
  },
});
