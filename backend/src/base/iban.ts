import { ValidationErrorsIBAN, validateIBAN } from 'ibantools';
import { IBAN_STRUCTURES, type IbanParts } from './iban-structure.ts';

/** What an IBAN says, and what is wrong with it. */
export interface IbanReading {
  /** Capital letters and digits as they were given, without spaces. */
  readonly iban: string;
  /** In groups of four, as on paper. */
  readonly formatted: string;
  readonly checks: {
    /** The country is in the registry of ISO 13616. */
    readonly country: boolean;
    readonly length: boolean;
    /** Letters and digits are where the country has them. */
    readonly format: boolean;
    /** ISO 7064 mod 97-10, and the country's own check digits where its BBAN has some that can be checked. */
    readonly checksum: boolean;
  };
  readonly valid: boolean;
  /** null unless it is in the registry. */
  readonly country: string | null;
  readonly sepa: boolean;
  readonly checkDigits: string | null;
  /** The country's own part, and what it consists of: null unless its form is right. */
  readonly bban: string | null;
  readonly parts: IbanParts | null;
}

const CHECK_DIGITS = /^[0-9]{2}$/;

/** Reads an IBAN as people type it: in either case, with spaces anywhere. Anything can be read; see `valid`. */
export function readIban(text: string): IbanReading {
  const typed = text.replace(/\s/gu, '');
  // Some letters have capitals in ASCII: "ı" is not an I, and "ß" not two S.
  const iban = /^[\x20-\x7e]*$/.test(typed) ? typed.toUpperCase() : typed;
  const [country, checkDigits, bban] = [iban.slice(0, 2), iban.slice(2, 4), iban.slice(4)];
  const structure = IBAN_STRUCTURES.get(country) ?? null;
  const parts = structure?.read(bban) ?? null;
  const formatted = CHECK_DIGITS.test(checkDigits) && parts !== null;
  const checks = {
    country: structure !== null,
    length: iban.length === structure?.length,
    format: formatted,
    checksum: isSumRight(iban) && !(formatted && isNationalSumWrong(iban)),
  };
  return {
    iban,
    formatted: iban.replace(/(.{4})(?=.)/gu, '$1 '),
    checks,
    valid: Object.values(checks).every(Boolean),
    country: structure === null ? null : country,
    sepa: structure?.sepa ?? false,
    checkDigits: CHECK_DIGITS.test(checkDigits) ? checkDigits : null,
    bban: parts === null ? null : bban,
    parts,
  };
}

/** ISO 7064 mod 97-10 over the IBAN with its first four characters moved to the end, A as 10 to Z as 35. */
function isSumRight(iban: string): boolean {
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]+$/.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  // 00, 01 and 99 would pass the sum as well, but are never given: the digits are 98 less a remainder of 97.
  return BigInt(digits) % 97n === 1n && !/^..(00|01|99)/.test(iban);
}

/** The library knows the sums of eighteen countries. Its forms of IBANs lack some countries: those are ours. */
function isNationalSumWrong(iban: string): boolean {
  return validateIBAN(iban).errorCodes.includes(ValidationErrorsIBAN.WrongAccountBankBranchChecksum);
}
