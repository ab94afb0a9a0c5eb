import type { RegistryContact } from '../../../drivers/registry/port.ts';
import type { Contact } from './contact.ts';

/** The contact as a registry is told of it; `disclosed`: whether it is to be shown to everybody. */
export function registryContact(contact: Contact, disclosed: boolean): RegistryContact {
  const street = [`${contact.street} ${contact.house_number}`, contact.address_addition];
  return {
    handle: contact.handle,
    type: contact.type,
    name: `${contact.first_name} ${contact.last_name}`.trim(),
    organisation: contact.company,
    street: street.filter((line) => line !== null),
    city: contact.city,
    region: contact.region,
    zip: contact.zip,
    country: contact.country,
    phone: registryPhone(contact.phone),
    fax: contact.fax === null ? null : registryPhone(contact.fax),
    email: contact.email,
    disclosed,
    extra: contact.extra,
  };
}

// E.164 country codes of one and of two digits; all others have three.
const SHORT_CODES = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])(\d+)$/;

/** RFC 5733 §2.5: E.164 with a dot behind the country code. */
function registryPhone(phone: string): string {
  const short = SHORT_CODES.exec(phone);
  return short === null ? `${phone.slice(0, 4)}.${phone.slice(4)}` : `+${short[1]}.${short[2]}`;
}
