import { z } from 'zod';
import { countAttempt } from '../../api/attempt.ts';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTimeOrNull } from '../../base/time.ts';
import { LIMITS } from '../../business/core/access/limits.ts';
import { isToProve } from '../../business/domains/contacts/verification.ts';
import { mailVerification } from '../../business/domains/contacts/verification-mail.ts';
import { domain } from '../../business/domains/domain.ts';
import { operation } from '../../operation.ts';
import { contactsOf } from './contact-change.schema.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';

export default operation({
  method: 'POST',
  path: 'domain/contact-verify-resend',
  summary: 'Mail the owner of a domain the link that proves their address once more',
  description: 'To the address of its owner, while that is not verified.',
  audience: 'customer',
  scope: 'domain:write',
  input: z.strictObject(domainReference).superRefine(namesOneDomain),
  output: z.object({ uuid, domain: z.string(), email: z.string(), deadline: timestamp.nullable() }),
  message: { en: 'The link was mailed.', de: 'Der Link ist unterwegs.' },
  errors: ['not_found', 'state_conflict', 'rate_limited'],
  example: { input: { domain: 'example.com' } },
  resource: domain,
  ask: (ctx) => countAttempt(ctx, LIMITS.verification(ctx.caller.userId)),
  async handle(tx, ctx, _input, found) {
    const owner = (await contactsOf(tx, found)).owner?.contact ?? null;
    const to = { accountId: found.account_id, email: owner?.email ?? '', domain: found.name };
    if (owner === null || !isToProve(owner) || !(await mailVerification(tx, ctx, to)))
      throw ctx.refusal('state_conflict', { members: { current_state: owner?.verification ?? 'unknown' } });
    const { email, verification_deadline: deadline } = owner;
    return { uuid: found.id, domain: found.name, email, deadline: wireTimeOrNull(deadline) };
  },
});
