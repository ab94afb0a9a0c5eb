import { z } from 'zod';
import { linkToken } from '../../api/person.ts';
import { verifyEmail } from '../../business/core/people/email-address.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'account/email-verify',
  summary: 'Prove an e-mail address with a link',
  description:
    'The token is what follows # in the link. If the address is one that `account/email-change` asked for, it ' +
    'is yours from now on, and the one that it replaces is told.',
  audience: 'public',
  scope: null,
  idempotent: false,
  input: z.strictObject({ token: linkToken }),
  output: z.object({ email: z.string(), changed: z.boolean() }),
  message: { en: 'The address is verified.', de: 'Die Adresse ist bestätigt.' },
  errors: ['link_invalid', 'already_exists', 'resource_locked'],
  secrets: ['token'],
  example: { input: { token: '3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } },
  async handle(tx, ctx, input) {
    const verified = await verifyEmail(tx, ctx.uow, input.token, ctx);
    if (verified.kind === 'invalid') throw ctx.refusal('link_invalid');
    if (verified.kind === 'taken') throw ctx.refusal('already_exists');
    return { email: verified.email, changed: verified.changed };
  },
});
