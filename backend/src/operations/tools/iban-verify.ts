import { z } from 'zod';
import { readIban } from '../../base/iban.ts';
import { findBank } from '../../business/tools/banks/directory.ts';
import { operation } from '../../operation.ts';

const bank = z.object({
  name: z.string(),
  bic: z.string().nullable(),
  city: z.string().nullable(),
});

export default operation({
  method: 'POST',
  path: 'tools/iban-verify',
  summary: 'Verify an IBAN',
  description:
    "Checks country, length, form and check digits, the country's own too where it has some. That an IBAN is valid " +
    'does not say that the account exists. Nothing of it is kept. Banks are known for Austria, Belgium, Germany, ' +
    'the Netherlands and Switzerland.',
  audience: 'customer',
  scope: 'tools:read',
  input: z.strictObject({
    iban: z.string().min(1).max(42).describe('In either case, with or without spaces.'),
  }),
  output: z.object({
    iban: z.string().describe('In capital letters, without spaces'),
    formatted: z.string().describe('In groups of four'),
    valid: z.boolean(),
    checks: z.object({
      country: z.boolean(),
      length: z.boolean(),
      format: z.boolean(),
      checksum: z.boolean(),
    }),
    country: z.string().nullable().describe('ISO 3166-1 alpha-2, or XK; null unless it has IBANs'),
    country_name: z.string().nullable(),
    sepa: z.boolean().describe('Whether the country takes part in SEPA'),
    check_digits: z.string().nullable(),
    bban: z.string().nullable().describe("The country's own part; null unless its form is right"),
    bank_code: z.string().nullable(),
    branch_code: z.string().nullable(),
    account_number: z.string().nullable(),
    bank: bank.nullable().describe('null unless the IBAN is valid and the bank is known'),
  }),
  message: { en: 'The IBAN was checked.', de: 'Die IBAN wurde geprüft.' },
  errors: [],
  example: { input: { iban: 'DE89 3704 0044 0532 0130 00' } },
  read(ctx, input) {
    const { iban, formatted, checks, valid, country, sepa, checkDigits, bban, parts } = readIban(input.iban);
    const bankCode = parts?.bank ?? null;
    const found =
      valid && country !== null && bankCode !== null ? findBank(country, bankCode, ctx.now) : null;
    return {
      iban,
      formatted,
      valid,
      checks,
      country,
      country_name: country === null ? null : countryName(country, ctx.locale),
      sepa,
      check_digits: checkDigits,
      bban,
      bank_code: bankCode,
      branch_code: parts?.branch ?? null,
      account_number: parts?.account ?? null,
      bank: found === null ? null : { ...found, city: null },
    };
  },
});

function countryName(country: string, locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country;
}
