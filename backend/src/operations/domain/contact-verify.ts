import { z } from 'zod';
import { linkToken } from '../../api/person.ts';
import { verifyByLink } from '../../business/domains/contacts/verified.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'domain/contact-verify',
  summary: 'Prove the e-mail address of the owner of a domain with a link',
  description:
    'The token is what follows # in the link. Every contact of the account with this address is verified, and ' +
    'domains that were off for it are on again.',
  audience: 'public',
  scope: null,
  idempotent: false,
  input: z.strictObject({ token: linkToken }),
  output: z.object({ email: z.string() }),
  message: { en: 'The address is verified.', de: 'Die Adresse ist bestätigt.' },
  errors: ['link_invalid', 'resource_locked'],
  secrets: ['token'],
  example: { input: { token: '3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } },
  async handle(tx, ctx, { token }) {
    const verified = await verifyByLink(tx, ctx.uow, token);
    if (verified === null) throw ctx.refusal('link_invalid');
    return verified;
  },
});
