import { z } from 'zod';
import { linkToken } from '../../api/person.ts';
import { answerForOwner } from '../../business/domains/contacts/owner-approval.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'domain/contact-approve',
  summary: 'Agree to another owner of a domain with a link, or not',
  description:
    'The token is what follows # in the link. The change begins when both owners have agreed; `reject` ends it.',
  audience: 'public',
  scope: null,
  idempotent: false,
  input: z.strictObject({ token: linkToken, answer: z.enum(['approve', 'reject']).default('approve') }),
  output: z.object({
    domain: z.string(),
    outcome: z.enum(['begun', 'missing', 'rejected']).describe('missing: the other owner is still to agree.'),
  }),
  message: { en: 'Your answer was noted.', de: 'Ihre Antwort ist vermerkt.' },
  errors: ['link_invalid', 'resource_locked'],
  secrets: ['token'],
  example: { input: { token: '3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } },
  async handle(tx, ctx, { token, answer }) {
    const answered = await answerForOwner(tx, ctx.uow, token, answer);
    if (answered === null) throw ctx.refusal('link_invalid');
    return answered;
  },
});
