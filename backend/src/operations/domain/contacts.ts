import { z } from 'zod';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { listContacts } from '../../business/domains/contacts/contact-list.ts';
import { operation } from '../../operation.ts';
import { contact, wireContact } from './contact.schema.ts';

export default operation({
  method: 'GET',
  path: 'domain/contacts',
  summary: 'The contacts of your account',
  description:
    'To be named by their `uuid` in orders and changes. `search` looks into names, company and e-mail.',
  audience: 'customer',
  scope: 'domain:read',
  input: z.strictObject(paging(['created_at', 'last_name'])),
  output: z.object({
    contacts: z.array(contact.extend({ domains: z.int().describe('How many domains name it.') })),
    pagination,
  }),
  message: { en: 'These are your contacts.', de: 'Das sind Ihre Kontakte.' },
  errors: ['validation_failed'],
  example: { input: { page: 1 } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { accountId, resourceAllowlist: only } = ctx.caller;
    const { contacts, total } = await listContacts(
      ctx.db,
      accountId,
      { text: input.search === undefined ? null : containing(input.search), only },
      { sort: input.sort, order: input.order, limit: input.per_page, offset: offsetOf(input) },
    );
    return {
      contacts: contacts.map(({ domains, ...one }) => ({ ...wireContact(one), domains })),
      pagination: pageOf(input, total),
    };
  },
});
