import { z } from 'zod';
import { countCode, secondFactorCode } from '../../api/second-factor.ts';
import { lockPerson } from '../../business/core/people/person.ts';
import { proveSecondFactor, removeSecondFactor } from '../../business/core/people/second-factor.ts';
import { operation } from '../../operation.ts';
import { checkOwnPassword, demandPassword, ownPassword } from './own-password.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/two-factor-disable',
  summary: 'Switch two-factor authentication off',
  description: 'Your other sessions and the recovery codes end; API tokens stay.',
  audience: 'person',
  scope: 'account:security',
  security: true,
  input: z.strictObject({
    password: ownPassword.optional().describe('Yours, if you have one.'),
    code: secondFactorCode,
  }),
  output: z.object({ enabled: z.boolean() }),
  message: { en: 'Two-factor authentication is off.', de: 'Die Zwei-Faktor-Anmeldung ist aus.' },
  errors: ['password_invalid', 'two_factor_invalid', 'state_conflict', 'rate_limited'],
  secrets: ['password', 'code'],
  example: { input: { password: 'correct horse battery staple', code: '492039' } },
  async ask(ctx, input) {
    await countCode(ctx, ctx.caller.userId, input.code);
    return await checkOwnPassword(ctx, ctx.caller.userId, input.password);
  },
  async handle(tx, ctx, input, _subject, checked) {
    const person = await lockPerson(tx, ctx.caller.userId);
    demandPassword(ctx, person, checked);
    const proof = await proveSecondFactor(tx, ctx.sealer, person, input.code, ctx.uow.now);
    if (proof === 'not_enabled') {
      throw ctx.refusal('state_conflict', { members: { current_state: 'disabled' } });
    }
    if (proof !== 'proved') throw ctx.refusal('two_factor_invalid');
    await removeSecondFactor(tx, person, ctx);
    return { enabled: false };
  },
});
