import { z } from 'zod';
import { noInput } from '../../api/field.ts';
import { invitation, invitedRole, user, wireUser } from '../../api/user.ts';
import { wireTime } from '../../base/time.ts';
import { openInvitations } from '../../business/core/people/invitation.ts';
import { usersOf } from '../../business/core/people/user.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'account/users',
  summary: 'The people of your account, and open invitations',
  audience: 'customer',
  scope: 'account:users',
  input: noInput,
  output: z.object({
    users: z.array(user.extend({ you: z.boolean() })),
    invitations: z.array(invitation),
  }),
  message: { en: 'These are the people of your account.', de: 'Das sind die Personen Ihres Kontos.' },
  errors: [],
  example: { input: {} },
  async read(ctx) {
    const { accountId, userId } = ctx.caller;
    const [users, invitations] = await Promise.all([
      usersOf(ctx.db, accountId),
      openInvitations(ctx.db, accountId, ctx.now),
    ]);
    return {
      users: users.map((found) => ({ ...wireUser(found), you: found.id === userId })),
      invitations: invitations.map((open) => ({
        uuid: open.id,
        email: open.email,
        role: invitedRole.parse(open.role),
        created_at: wireTime(open.created_at),
        expires_at: wireTime(open.expires_at),
      })),
    };
  },
});
