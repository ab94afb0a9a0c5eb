import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { publishedOwner } from '../../business/domains/contacts/published-owner.ts';
import { domain } from '../../business/domains/domain.ts';
import { operation } from '../../operation.ts';
import { contactsOf } from './contact-change.schema.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';
import { whoisPrivacy, wireWhoisPrivacy } from './whois-privacy.schema.ts';

export default operation({
  method: 'GET',
  path: 'domain/whois-privacy-get',
  summary: 'What the public sees of the owner of a domain',
  description: 'null: it is not shown. `updated_at` is when the registry last told what it has.',
  audience: 'customer',
  scope: 'domain:read',
  input: z.strictObject(domainReference).superRefine(namesOneDomain),
  output: z.object({
    uuid,
    domain: z.string(),
    whois_privacy: whoisPrivacy,
    published: z.object({
      name: z.string().nullable(),
      organisation: z.string().nullable(),
      email: z.string().nullable(),
      country: z.string().nullable(),
    }),
  }),
  message: {
    en: 'This is what the public sees of the owner.',
    de: 'Das sieht die Öffentlichkeit vom Inhaber.',
  },
  errors: ['not_found'],
  example: { input: { domain: 'example.com' } },
  resource: domain,
  async read(ctx, _input, found) {
    const owner = (await contactsOf(ctx.db, found)).owner?.card ?? null;
    return {
      uuid: found.id,
      domain: found.name,
      whois_privacy: wireWhoisPrivacy(ctx.catalog, found, owner),
      published: publishedOwner(owner, found.whois_privacy),
    };
  },
});
