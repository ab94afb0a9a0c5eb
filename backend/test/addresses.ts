/** Addresses as `account/save-address` takes them, one in each tax territory that tests are about. */

const person = {
  salutation: 'ms',
  first_name: 'Ada',
  last_name: 'Lovelace',
  street: 'Main Street',
  house_number: '1a',
  phone: '+4369123456',
};

export const GERMAN = { ...person, zip: '60311', city: 'Frankfurt am Main', country: 'DE' };
export const AUSTRIAN = { ...person, zip: '1010', city: 'Wien', country: 'AT' };
export const CANARIAN = { ...person, zip: '35001', city: 'Las Palmas', country: 'ES' };
export const SWISS = { ...person, zip: '8001', city: 'Zürich', country: 'CH' };
export const AMERICAN = { ...person, zip: '20500', city: 'Washington', country: 'US' };

/** What the sandbox register says of these numbers is in its name. */
export const AUSTRIAN_VAT = { valid: 'ATU12345678', invalid: 'ATU12345999', unavailable: 'ATU12345000' };
