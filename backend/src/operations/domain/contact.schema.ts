import { z } from 'zod';
import { addressFields, checkAddress, country, phone } from '../../api/address.ts';
import { timestamp, uuid } from '../../api/field.ts';
import { email } from '../../api/person.ts';
import { optionalLine } from '../../api/text.ts';
import type { Json } from '../../base/canonical.ts';
import { wireTimeOrNull } from '../../base/time.ts';
import type { Contact, ContactCard } from '../../business/domains/contacts/contact.ts';

const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'This must be a date such as 1980-12-31.')
  .refine(isDate, 'There is no such day.');

/** Contacts are kept, with whatever stands there for other TLDs: of all of those there are fewer. */
const MOST_EXTRA = 50;

const extra = z
  .record(z.string().max(64), z.union([z.string().max(255), z.boolean()]))
  .refine((given) => Object.keys(given).length <= MOST_EXTRA, `At most ${MOST_EXTRA} fields.`)
  .default({})
  .describe(
    `What the TLD asks for besides, by the schema in \`domain/pricelist\`; at most ${MOST_EXTRA} fields.`,
  );

const card = z
  .strictObject({
    ...addressFields,
    type: z.enum(['person', 'organisation', 'role']).default('person'),
    email: email.describe('Registries write to it.'),
    company_number: optionalLine(64),
    fax: phone.nullable().default(null),
    birth_date: date.nullable().default(null),
    birth_place: optionalLine(64),
    birth_country: country.nullable().default(null),
    id_number: optionalLine(64),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'This must be a language tag such as en or de-AT (BCP 47).')
      .max(35)
      .default('en'),
    extra,
  })
  .superRefine(checkAddress)
  .superRefine((given, ctx) => {
    if (given.type !== 'organisation' || given.company !== null) return;
    const message = 'An organisation has a name.';
    ctx.addIssue({ code: 'custom', path: ['company'], input: given.company, message });
  });

/** A contact of the account's, or one that is given with the request. */
export const contactRef = z.union([z.strictObject({ contact_uuid: uuid }), card]);
export type ContactRef = z.output<typeof contactRef>;

/** The four roles; those that are left out are the owner's. */
export const contactRoles = z.strictObject({
  owner: contactRef,
  admin: contactRef.optional(),
  tech: contactRef.optional(),
  zone: contactRef.optional(),
});
export type ContactRoles = z.output<typeof contactRoles>;
export const ROLES = ['owner', 'admin', 'tech', 'zone'] as const;

export const contact = z.object({
  uuid,
  type: z.enum(['person', 'organisation', 'role']),
  salutation: z.enum(['mr', 'ms', 'mx', 'none']),
  first_name: z.string(),
  last_name: z.string(),
  company: z.string().nullable(),
  vat_id: z.string().nullable(),
  company_number: z.string().nullable(),
  street: z.string(),
  house_number: z.string(),
  address_addition: z.string().nullable(),
  zip: z.string(),
  city: z.string(),
  region: z.string().nullable(),
  country: z.string(),
  phone: z.string(),
  fax: z.string().nullable(),
  email: z.string(),
  birth_date: z.string().nullable(),
  birth_place: z.string().nullable(),
  birth_country: z.string().nullable(),
  id_number: z.string().nullable(),
  language: z.string(),
  extra: z.record(z.string(), z.unknown()),
  verification: z.object({
    state: z.enum(['unverified', 'pending', 'verified', 'failed']),
    deadline: timestamp.nullable(),
  }),
  version: z.int(),
});

/** A contact as the wire shows it. */
export function wireContact(given: Contact): z.input<typeof contact> {
  const { id, account_id: _account, handle: _handle, verification, verification_deadline, ...shown } = given;
  return {
    ...shown,
    uuid: id,
    verification: { state: verification, deadline: wireTimeOrNull(verification_deadline) },
  };
}

/** A contact that was given, as it is kept. */
export function givenCard(given: Exclude<ContactRef, { contact_uuid: string }>): ContactCard {
  const { extra: more, ...rest } = given;
  return { ...rest, extra: more as Record<string, Json> };
}

/** A domain's contact in few words. */
export const contactSummary = z.object({
  contact_uuid: uuid,
  name: z.string(),
  verification_state: z.enum(['unverified', 'pending', 'verified', 'failed']),
});

export function wireContactSummary(given: Contact): z.input<typeof contactSummary> {
  const name = given.type === 'organisation' ? given.company : null;
  return {
    contact_uuid: given.id,
    name: name ?? `${given.first_name} ${given.last_name}`.trim(),
    verification_state: given.verification,
  };
}

function isDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}
