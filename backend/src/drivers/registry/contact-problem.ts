import type { RegistryContact } from './port.ts';

const E164 = /^(\+[0-9]{1,3}\.[0-9]{1,14})?$/;

/**
 * What of a contact RFC 5733's schema has no room for; null: nothing. It is not sent: a registry would say only that
 * the command is no EPP, whichever member it is.
 */
export function contactProblem(contact: RegistryContact): string | null {
  const { handle, name, organisation, street, city, region, zip, country, phone, fax, email } = contact;
  const problems = [
    within(handle, 3, 16) ? null : 'the handle has not 3 to 16 characters',
    within(name, 1, 255) ? null : 'the name is missing or too long',
    within(city, 1, 255) ? null : 'the city is missing or too long',
    [organisation ?? '', region ?? '', ...street].every((line) => within(line, 0, 255))
      ? null
      : 'a line of the address is too long',
    street.length <= 3 ? null : 'the street has more than three lines',
    within(zip, 0, 16) ? null : 'the postal code is too long',
    within(country, 2, 2) ? null : 'the country is no code of two letters',
    [phone, fax ?? ''].every((number) => E164.test(number)) ? null : 'a number is not of the form +CC.number',
    within(email, 1, 255) ? null : 'the e-mail address is missing or too long',
  ].filter((problem) => problem !== null);
  return problems.length === 0 ? null : `${handle}: ${problems.join(', ')}`;
}

/** In characters, as XML Schema counts them. */
function within(text: string, least: number, most: number): boolean {
  const { length } = [...text];
  return length >= least && length <= most;
}
