import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { domain } from '../../business/domains/domain.ts';
import { operation } from '../../operation.ts';
import { isChangeable } from './changing-domain.schema.ts';
import { contactsOf } from './contact-change.schema.ts';
import { domainContacts, editableRoles, wireDomainContacts } from './contacts-shown.schema.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';

export default operation({
  method: 'GET',
  path: 'domain/contact-get',
  summary: 'The contacts of a domain',
  description:
    'A role is null where the registry has a contact that is not known here, as after a transfer without `contacts`. ' +
    'Roles that are not `editable` are not told to the registry of this TLD.',
  audience: 'customer',
  scope: 'domain:read',
  input: z.strictObject(domainReference).superRefine(namesOneDomain),
  output: z.object({
    uuid,
    domain: z.string(),
    contacts: domainContacts,
    editable: z.object({ owner: z.boolean(), admin: z.boolean(), tech: z.boolean(), zone: z.boolean() }),
    version: z.int().describe('Of the domain.'),
  }),
  message: { en: 'These are the contacts of the domain.', de: 'Das sind die Kontakte der Domain.' },
  errors: ['not_found'],
  example: { input: { domain: 'example.com' } },
  resource: domain,
  async read(ctx, _input, found) {
    const roles = ctx.catalog.tlds.get(found.tld)?.policy.contact_roles ?? [];
    return {
      uuid: found.id,
      domain: found.name,
      contacts: wireDomainContacts(await contactsOf(ctx.db, found)),
      editable: editableRoles(roles, isChangeable(found)),
      version: found.version,
    };
  },
});
