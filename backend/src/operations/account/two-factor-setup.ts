import { z } from 'zod';
import { lockPerson } from '../../business/core/people/person.ts';
import { beginSecondFactor } from '../../business/core/people/second-factor.ts';
import { totpUrl } from '../../business/core/people/totp.ts';
import { operation } from '../../operation.ts';
import { checkOwnPassword, demandPassword, ownPassword } from './own-password.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/two-factor-setup',
  summary: 'Begin to set up two-factor authentication',
  description:
    'Gives a secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). It is asked for ' +
    'once `account/two-factor-confirm` has seen a code. Doing it again gives another secret.',
  audience: 'person',
  scope: 'account:security',
  security: true,
  input: z.strictObject({ password: ownPassword.optional().describe('Yours, if you have one.') }),
  output: z.object({
    secret: z.string().describe('Base32, to type in.'),
    otpauth_url: z.string().describe('To show as a QR code.'),
  }),
  message: {
    en: 'Add this to your authenticator app, and confirm with a code.',
    de: 'Fügen Sie dies Ihrer Authenticator-App hinzu und bestätigen Sie mit einem Code.',
  },
  errors: ['password_invalid', 'state_conflict', 'rate_limited'],
  secrets: ['password', 'secret', 'otpauth_url'],
  example: { input: { password: 'correct horse battery staple' } },
  ask: (ctx, input) => checkOwnPassword(ctx, ctx.caller.userId, input.password),
  async handle(tx, ctx, _input, _subject, checked) {
    const person = await lockPerson(tx, ctx.caller.userId);
    demandPassword(ctx, person, checked);
    if (person.totp_confirmed_at !== null) {
      throw ctx.refusal('state_conflict', { members: { current_state: 'enabled' } });
    }
    const secret = await beginSecondFactor(tx, ctx.sealer, person);
    const issuer = ctx.catalog.content.seller?.name ?? new URL(ctx.publicUrl).hostname;
    return { secret, otpauth_url: totpUrl(secret, issuer, person.email) };
  },
});
