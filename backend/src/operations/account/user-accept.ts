import { z } from 'zod';
import { countAttempt } from '../../api/attempt.ts';
import { uuid } from '../../api/field.ts';
import { linkToken, locale, newPassword, personName, timezone } from '../../api/person.ts';
import { invitedRole } from '../../api/user.ts';
import { LIMITS } from '../../business/core/access/limits.ts';
import { acceptInvitation } from '../../business/core/people/invitation.ts';
import { findLink } from '../../business/core/people/mailed-link.ts';
import { operation } from '../../operation.ts';
import { hashNewPassword } from './own-password.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/user-accept',
  summary: 'Accept an invitation',
  description:
    'The token is what follows # in the link. Log in afterwards with the address that was invited and this ' +
    'password.',
  audience: 'public',
  scope: null,
  idempotent: false,
  input: z.strictObject({
    token: linkToken,
    first_name: personName,
    last_name: personName,
    password: newPassword,
    locale: locale.optional().describe('Default: the language of the request.'),
    timezone: timezone.default('UTC'),
  }),
  output: z.object({ uuid, email: z.string(), role: invitedRole }),
  message: { en: 'Welcome. You can log in now.', de: 'Willkommen. Sie können sich jetzt anmelden.' },
  errors: ['link_invalid', 'already_exists', 'validation_failed', 'rate_limited', 'resource_locked'],
  secrets: ['token', 'password'],
  example: {
    input: {
      token: '3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      first_name: 'Grace',
      last_name: 'Hopper',
      password: 'correct horse battery staple',
    },
  },
  async ask(ctx, input) {
    await countAttempt(ctx, LIMITS.accept(ctx.ip));
    const link = await findLink(ctx.db, 'invitation', input.token, ctx.now);
    if (link === null) throw ctx.refusal('link_invalid');
    return await hashNewPassword(ctx, input.password, link.email, 'password');
  },
  async handle(tx, ctx, input, _subject, passwordHash) {
    const accepted = await acceptInvitation(tx, ctx.uow, input.token, {
      passwordHash,
      firstName: input.first_name,
      lastName: input.last_name,
      locale: input.locale ?? ctx.locale,
      timezone: input.timezone,
    });
    if (accepted.kind === 'invalid') throw ctx.refusal('link_invalid');
    if (accepted.kind === 'exists') throw ctx.refusal('already_exists');
    return { uuid: accepted.userId, email: accepted.email, role: accepted.role };
  },
});
