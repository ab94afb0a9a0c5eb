import { z } from 'zod';
import { countAttempt } from '../../api/attempt.ts';
import { noInput } from '../../api/field.ts';
import { LIMITS } from '../../business/core/access/limits.ts';
import { requestVerification, unprovedAddress } from '../../business/core/people/email-address.ts';
import { lockPerson } from '../../business/core/people/person.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'account/email-verification-resend',
  summary: 'Mail the link that proves your address once more',
  description: 'To the address that you want to change to, or else to your own while it is not verified.',
  audience: 'person',
  scope: 'account:security',
  input: noInput,
  output: z.object({ email: z.string() }),
  message: { en: 'The link was mailed.', de: 'Der Link ist unterwegs.' },
  errors: ['state_conflict', 'rate_limited'],
  example: { input: {} },
  async ask(ctx) {
    await countAttempt(ctx, LIMITS.verification(ctx.caller.userId));
  },
  async handle(tx, ctx) {
    const person = await lockPerson(tx, ctx.caller.userId);
    const email = await unprovedAddress(tx, ctx.uow, person);
    if (email === null) throw ctx.refusal('state_conflict', { members: { current_state: 'verified' } });
    await requestVerification(tx, ctx.uow, person, email, ctx);
    return { email };
  },
});
