import type { RegistryContact } from '../port.ts';
import type { Profile } from './profile.ts';
import { Refused } from './refusal.ts';
import { childOf, childrenOf, type Element, textOf, textsOf, writer } from './wire/element.ts';

export type Postal = Pick<
  RegistryContact,
  'name' | 'organisation' | 'street' | 'city' | 'region' | 'zip' | 'country'
>;

const contact = writer('contact');

/** Of a contact that is made, or of one that is changed. */
export type Standing = 'new' | 'changed';

/** What is absent is left out; of a contact that may have it, an empty element takes it away. */
export function optional(name: string, text: string | null, as: Standing): Element | null {
  return text === null && as === 'new' ? null : contact(name, text ?? '');
}

/** RFC 5733 §2.3. Throws Refused where a registry wants ASCII and the address is none: nobody's name is guessed at. */
export function postalInfo(
  { name, organisation, street, city, region, zip, country }: Postal,
  form: Profile['postal'],
  as: Standing,
): Element {
  const texts = [name, organisation ?? '', ...street, city, region ?? '', zip];
  const ascii = texts.every((text) => /^[\x20-\x7e]*$/.test(text));
  if (form === 'int' && !ascii)
    throw new Refused('contact_invalid', 'the registry takes addresses in ASCII only');
  const type = form === 'auto' ? (ascii ? 'int' : 'loc') : form;
  return contact(
    'postalInfo',
    [
      contact('name', name),
      optional('org', organisation, as),
      contact('addr', [
        ...street.map((line) => contact('street', line)),
        contact('city', city),
        optional('sp', region, as),
        contact('pc', zip),
        contact('cc', country),
      ]),
    ],
    { type },
  );
}

/** The address as people write it, where there is one. */
export function readPostal(parent: Element | null): Postal | null {
  const forms = childrenOf(parent, 'contact', 'postalInfo');
  const info = forms.find(({ attributes }) => attributes.type === 'loc') ?? forms[0];
  if (info === undefined) return null;
  const address = childOf(info, 'contact', 'addr');
  return {
    name: textOf(info, 'contact', 'name') ?? '',
    organisation: textOf(info, 'contact', 'org') || null,
    street: textsOf(address, 'contact', 'street').filter((line) => line !== ''),
    city: textOf(address, 'contact', 'city') ?? '',
    region: textOf(address, 'contact', 'sp') || null,
    zip: textOf(address, 'contact', 'pc') ?? '',
    country: (textOf(address, 'contact', 'cc') ?? '').toUpperCase(),
  };
}

export function samePostal(found: Postal | null, wanted: Postal): boolean {
  if (found === null) return false;
  const listOf = ({ name, organisation, street, city, region, zip, country }: Postal) =>
    JSON.stringify([name, organisation, street, city, region, zip, country]);
  return listOf(found) === listOf(wanted);
}
