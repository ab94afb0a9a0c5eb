import { z } from 'zod';
import { countCode, recoveryCodes, secondFactorCode } from '../../api/second-factor.ts';
import { lockPerson } from '../../business/core/people/person.ts';
import { replaceRecoveryCodes } from '../../business/core/people/recovery-code.ts';
import { proveSecondFactor } from '../../business/core/people/second-factor.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'account/recovery-codes',
  summary: 'Make new recovery codes',
  description: 'The ones that there were end.',
  audience: 'person',
  scope: 'account:security',
  security: true,
  input: z.strictObject({ code: secondFactorCode }),
  output: z.object({ recovery_codes: recoveryCodes }),
  message: {
    en: 'These are your recovery codes. Keep them: they are shown once.',
    de: 'Das sind Ihre Wiederherstellungscodes. Bewahren Sie sie auf: sie werden nur einmal gezeigt.',
  },
  errors: ['two_factor_invalid', 'state_conflict', 'rate_limited'],
  secrets: ['code', 'recovery_codes'],
  example: { input: { code: '492039' } },
  ask: (ctx, input) => countCode(ctx, ctx.caller.userId, input.code),
  async handle(tx, ctx, input) {
    const person = await lockPerson(tx, ctx.caller.userId);
    const proof = await proveSecondFactor(tx, ctx.sealer, person, input.code, ctx.uow.now);
    if (proof === 'not_enabled') {
      throw ctx.refusal('state_conflict', { members: { current_state: 'disabled' } });
    }
    if (proof !== 'proved') throw ctx.refusal('two_factor_invalid');
    return { recovery_codes: [...(await replaceRecoveryCodes(tx, ctx.sealer, person.id))] };
  },
});
