import { z } from 'zod';
import { wireTime } from '../../base/time.ts';
import { LIMITS } from '../../business/accounts/limits.ts';
import { invite } from '../../business/people/invitation.ts';
import { lockPerson } from '../../business/people/person.ts';
import { usersOf } from '../../business/people/user.ts';
import { operation } from '../../operation.ts';
import { countAttempt } from '../../shapes/attempt.ts';
import { email } from '../../shapes/person.ts';
import {
  checkReauthentication,
  demandReauthentication,
  REAUTHENTICATION_ERRORS,
  reauthentication,
} from '../../shapes/reauthentication.ts';
import { demandOwnSecondFactor } from '../../shapes/second-factor.ts';
import { demandScopesOf, invitation, invitedRole } from '../../shapes/user.ts';

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
    const invited = await invite(tx, ctx.frame, { ...by, account_id: ctx.caller.accountId }, input, ctx);
    return {
      uuid: invited.id,
      ...input,
      created_at: wireTime(ctx.frame.now),
      expires_at: wireTime(invited.expiresAt),
    };
  },
});
