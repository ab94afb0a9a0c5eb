import { z } from 'zod';
import { wireTimeOrNull } from '../base/time.ts';
import type { Address, StoredAddress } from '../business/core/accounts/address.ts';
import { postalCodeProblem } from '../business/core/accounts/postal-code.ts';
import { isCountry } from '../business/core/catalog/schema/country.ts';
import { readVatNumber, vatPrefix } from '../business/core/tax/vat-number.ts';
import type { VatStatus } from '../business/core/tax/vat-standing.ts';
import { timestamp } from './field.ts';
import { email } from './person.ts';
import { line, optionalLine } from './text.ts';

const salutation = z.enum(['mr', 'ms', 'mx', 'none']);

export const country = z
  .string()
  .toUpperCase()
  .refine(isCountry, 'This must be a country’s code such as DE (ISO 3166-1 alpha-2).');

export const phone = z
  .string()
  .max(40, 'At most 40 characters.')
  .overwrite((text) => text.replace(/[\s().\-/]/g, ''))
  .regex(/^\+[1-9]\d{6,14}$/, 'This must be a telephone number such as +49 69 1234567 (E.164).');

const vatId = z
  .string()
  .max(32, 'At most 32 characters.')
  .transform((text, ctx) => {
    if (text.trim() === '') return null;
    const number = readVatNumber(text);
    if (number !== null) return number;
    ctx.addIssue({
      code: 'custom',
      input: text,
      message: 'This must be a VAT number of the EU, such as DE123456789.',
    });
    return z.NEVER;
  })
  .nullable()
  .default(null)
  .describe('Of the EU, with its prefix; spaces, dots and hyphens make no difference.');

const region = z
  .string()
  .toUpperCase()
  .regex(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, {
    error: 'This must be a subdivision such as US-CA (ISO 3166-2).',
    abort: true,
  })
  .nullable()
  .default(null);

/** What an address is given as. `checkAddress` looks at what belongs together. */
export const addressFields = {
  salutation,
  first_name: line(64),
  last_name: line(64),
  company: optionalLine(128),
  vat_id: vatId,
  street: line(128),
  house_number: line(16),
  address_addition: optionalLine(128),
  zip: line(16).toUpperCase(),
  city: line(64),
  region: region.describe('State or province, where the country has them in addresses.'),
  country,
  phone,
  email: email.nullable().default(null).describe('For invoices; null: the one that is logged in with.'),
};

interface Located {
  readonly country: string;
  readonly zip: string;
  readonly region: string | null;
  readonly vat_id: string | null;
}

/** Zip, region and VAT number must be of the address's country. */
export function checkAddress(address: Located, ctx: z.RefinementCtx): void {
  const wrong = (field: keyof Located, message: string) =>
    ctx.addIssue({ code: 'custom', path: [field], input: address[field], message });
  const zip = postalCodeProblem(address.country, address.zip);
  if (zip !== null) wrong('zip', `Postal codes in ${address.country} look like ${zip.example}.`);
  if (address.region !== null && !address.region.startsWith(`${address.country}-`)) {
    wrong('region', `This must be a part of ${address.country}.`);
  }
  const prefix = vatPrefix(address.country);
  if (address.vat_id !== null && !address.vat_id.startsWith(prefix ?? ' ')) {
    const message =
      prefix === null
        ? `There are no VAT numbers of the EU in ${address.country}.`
        : `VAT numbers in ${address.country} begin with ${prefix}.`;
    wrong('vat_id', message);
  }
}

export const address = z.object({
  salutation,
  first_name: z.string(),
  last_name: z.string(),
  company: z.string().nullable(),
  vat_id: z.string().nullable(),
  street: z.string(),
  house_number: z.string(),
  address_addition: z.string().nullable(),
  zip: z.string(),
  city: z.string(),
  region: z.string().nullable().describe('ISO 3166-2'),
  country: z.string().describe('ISO 3166-1 alpha-2'),
  phone: z.string().describe('E.164'),
  email: z.string().nullable(),
});

/** The fields of an address, from anything that has them. */
export function wireAddress(given: Address): Address {
  return {
    salutation: given.salutation,
    first_name: given.first_name,
    last_name: given.last_name,
    company: given.company,
    vat_id: given.vat_id,
    street: given.street,
    house_number: given.house_number,
    address_addition: given.address_addition,
    zip: given.zip,
    city: given.city,
    region: given.region,
    country: given.country,
    phone: given.phone,
    email: given.email,
  };
}

export const vatValidation = z
  .object({
    state: z.enum(['not_checked', 'valid', 'invalid', 'unavailable']),
    checked_at: timestamp.nullable(),
    name: z.string().nullable().describe('The name that the number is registered under, where it is told.'),
  })
  .describe('`unavailable`: the register has not answered yet; it is asked again by itself.');

export function wireVatStatus({ state, checkedAt, name }: VatStatus): z.input<typeof vatValidation> {
  return { state, checked_at: wireTimeOrNull(checkedAt), name };
}

/** The standing of a stored address's number. */
export function standingOf(stored: StoredAddress): VatStatus {
  return { state: stored.vat_state, checkedAt: stored.vat_checked_at, name: stored.vat_name };
}
