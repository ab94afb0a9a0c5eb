import { z } from 'zod';
import { countCode, recoveryCodes, secondFactorCode } from '../../api/second-factor.ts';
import { lockPerson } from '../../business/core/people/person.ts';
import { confirmSecondFactor } from '../../business/core/people/second-factor.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'account/two-factor-confirm',
  summary: 'Switch two-factor authentication on',
  description:
    'From now on a log-in, and what changes how you get in, asks for a code. Your other sessions end; API tokens ' +
    'stay. The recovery codes are in this answer and nowhere else: each is good once, in place of a code.',
  audience: 'person',
  scope: 'account:security',
  security: true,
  input: z.strictObject({ code: secondFactorCode.describe('Six digits of the authenticator app.') }),
  output: z.object({ recovery_codes: recoveryCodes }),
  message: {
    en: 'Two-factor authentication is on. Keep the recovery codes: they are shown once.',
    de: 'Die Zwei-Faktor-Anmeldung ist an. Bewahren Sie die Wiederherstellungscodes auf: sie werden nur einmal gezeigt.',
  },
  errors: ['two_factor_invalid', 'state_conflict', 'rate_limited'],
  secrets: ['code', 'recovery_codes'],
  example: { input: { code: '492039' } },
  ask: (ctx, input) => countCode(ctx, ctx.caller.userId, input.code),
  async handle(tx, ctx, input) {
    const { totp_sealed, ...person } = await lockPerson(tx, ctx.caller.userId);
    if (person.totp_confirmed_at !== null || totp_sealed === null) {
      const state = totp_sealed === null ? 'not_set_up' : 'enabled';
      throw ctx.refusal('state_conflict', { members: { current_state: state } });
    }
    const codes = await confirmSecondFactor(tx, ctx.sealer, { ...person, totp_sealed }, input.code, ctx);
    if (codes === null) throw ctx.refusal('two_factor_invalid');
    return { recovery_codes: [...codes] };
  },
});
