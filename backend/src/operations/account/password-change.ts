import { z } from 'zod';
import { endApiTokens, newPassword } from '../../api/person.ts';
import { countCode, demandProof, secondFactorCode } from '../../api/second-factor.ts';
import { profileOf } from '../../business/core/accounts/profile.ts';
import { changePassword } from '../../business/core/people/password-change.ts';
import { lockPerson } from '../../business/core/people/person.ts';
import { proveSecondFactor } from '../../business/core/people/second-factor.ts';
import { operation } from '../../operation.ts';
import { checkOwnPassword, demandPassword, hashNewPassword, ownPassword } from './own-password.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/password-change',
  summary: 'Change your password',
  description:
    'Your other sessions end; API tokens stay unless `end_api_tokens` is true. You are told by mail.',
  audience: 'person',
  scope: 'account:security',
  security: true,
  input: z.strictObject({
    current_password: ownPassword,
    new_password: newPassword,
    end_api_tokens: endApiTokens,
    code: secondFactorCode.optional(),
  }),
  output: z.object({ changed: z.boolean() }),
  message: { en: 'The password was changed.', de: 'Das Passwort wurde geändert.' },
  errors: [
    'password_invalid',
    'two_factor_required',
    'two_factor_invalid',
    'validation_failed',
    'rate_limited',
  ],
  secrets: ['current_password', 'new_password', 'code'],
  example: {
    input: { current_password: 'correct horse battery staple', new_password: 'incorrect zebra dynamo clip' },
  },
  async ask(ctx, input) {
    await countCode(ctx, ctx.caller.userId, input.code);
    const { email } = await profileOf(ctx.db, ctx.caller.tokenId);
    const checked = await checkOwnPassword(ctx, ctx.caller.userId, input.current_password);
    const hash = checked.right ? await hashNewPassword(ctx, input.new_password, email, 'new_password') : null;
    return { checked, hash };
  },
  async handle(tx, ctx, input, _subject, { checked, hash }) {
    const person = await lockPerson(tx, ctx.caller.userId);
    demandPassword(ctx, person, checked);
    demandProof(ctx, await proveSecondFactor(tx, ctx.sealer, person, input.code, ctx.uow.now));
    if (hash === null) throw new Error('a right password was not followed by a new one');
    const andApiTokens = input.end_api_tokens;
    await changePassword(tx, person, { passwordHash: hash, andApiTokens }, ctx);
    return { changed: true };
  },
});
