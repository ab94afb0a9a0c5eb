/**
 * What a VAT identification number looks like behind its prefix: the table of the European Commission's VIES (FAQ,
 * question 11). Check digits are left to the register, which knows all of them and their exceptions.
 */
const FORMS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d[A-Z\d+*]\d{5}[A-Z]|\d{7}[A-Z]{2})$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z\d+*]{9}B[A-Z\d+*]{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
};

/** Where the prefix is not the country's code. Monaco's businesses have French numbers. */
const PREFIXES: Readonly<Record<string, string>> = { GR: 'EL', MC: 'FR', GB: 'XI' };

/** Every prefix of a VAT number: EL for Greece, XI for Northern Ireland. */
export const VAT_PREFIXES: readonly string[] = Object.keys(FORMS);

/**
 * A VAT number as the register takes it: prefix first, in capitals, without spaces, dots and hyphens; null when it
 * cannot be one. GR is taken for EL.
 */
export function readVatNumber(text: string): string | null {
  const number = text
    .replace(/[\s.-]/g, '')
    .toUpperCase()
    .replace(/^GR/, 'EL');
  const prefix = number.slice(0, 2);
  const form = Object.hasOwn(FORMS, prefix) ? FORMS[prefix] : undefined;
  return form?.test(number.slice(2)) ? number : null;
}

/** The prefix of the VAT numbers of a country (ISO 3166-1); null where they are none of the EU's. */
export function vatPrefix(country: string): string | null {
  const prefix = PREFIXES[country] ?? country;
  return Object.hasOwn(FORMS, prefix) ? prefix : null;
}
