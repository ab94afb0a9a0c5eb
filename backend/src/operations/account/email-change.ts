import { z } from 'zod';
import { fieldProblem } from '../../api/order.ts';
import { email } from '../../api/person.ts';
import { countCode, demandProof, secondFactorCode } from '../../api/second-factor.ts';
import { requestVerification } from '../../business/core/people/email-address.ts';
import { lockPerson } from '../../business/core/people/person.ts';
import { proveSecondFactor } from '../../business/core/people/second-factor.ts';
import { operation } from '../../operation.ts';
import { checkOwnPassword, demandPassword, ownPassword } from './own-password.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/email-change',
  summary: 'Change your e-mail address',
  description:
    'Mails a link to the new address. The old one stays in force until `account/email-verify` has seen the ' +
    'token of that link. Whether somebody else has the address is told to who reads its mail, and to nobody else.',
  audience: 'person',
  scope: 'account:security',
  security: true,
  input: z.strictObject({ email, password: ownPassword, code: secondFactorCode.optional() }),
  output: z.object({ email: z.string().describe('Where the link was mailed to.') }),
  message: {
    en: 'Follow the link that was mailed to the new address.',
    de: 'Folgen Sie dem Link, der an die neue Adresse unterwegs ist.',
  },
  errors: [
    'password_invalid',
    'two_factor_required',
    'two_factor_invalid',
    'validation_failed',
    'rate_limited',
  ],
  secrets: ['password', 'code'],
  example: { input: { email: 'ada@example.org', password: 'correct horse battery staple' } },
  async ask(ctx, input) {
    await countCode(ctx, ctx.caller.userId, input.code);
    return await checkOwnPassword(ctx, ctx.caller.userId, input.password);
  },
  async handle(tx, ctx, input, _subject, checked) {
    const person = await lockPerson(tx, ctx.caller.userId);
    demandPassword(ctx, person, checked);
    demandProof(ctx, await proveSecondFactor(tx, ctx.sealer, person, input.code, ctx.uow.now));
    if (input.email === person.email) {
      throw ctx.refusal(
        'validation_failed',
        fieldProblem('/email', 'not_allowed', 'This is your address already.'),
      );
    }
    await requestVerification(tx, ctx.uow, person, input.email, ctx);
    return { email: input.email };
  },
});
