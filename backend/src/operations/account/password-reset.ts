import { z } from 'zod';
import { countAttempt } from '../../api/attempt.ts';
import { email } from '../../api/person.ts';
import { LIMITS } from '../../business/core/access/limits.ts';
import { requestPasswordReset } from '../../business/core/people/password-reset.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'account/password-reset',
  summary: 'Ask for a link that sets a new password',
  description:
    'The answer is the same whether somebody has the address or not. The link is good once, for an hour.',
  audience: 'public',
  scope: null,
  idempotent: false,
  input: z.strictObject({ email }),
  output: z.object({ email: z.string() }),
  message: {
    en: 'If the address is known here, a mail with a link is on its way to it.',
    de: 'Wenn die Adresse hier bekannt ist, ist eine Mail mit einem Link unterwegs.',
  },
  errors: ['rate_limited'],
  example: { input: { email: 'ada@example.com' } },
  async ask(ctx, input) {
    await countAttempt(ctx, LIMITS.reset(input.email, ctx.ip));
  },
  async handle(tx, ctx, input) {
    await requestPasswordReset(tx, ctx.uow, input.email, ctx);
    return { email: input.email };
  },
});
