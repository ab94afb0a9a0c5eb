import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MEMBER_STATES } from './rates.ts';
import { readVatNumber, VAT_PREFIXES, vatPrefix } from './vat-number.ts';

/** Made-up numbers in the forms that the member states publish. */
const EXAMPLES = `
  ATU12345678 BE0123456789 BE1123456789 BG123456789 BG1234567890 CY12345678X CZ12345678 CZ123456789 CZ1234567890
  DE123456789 DK12345678 EE123456789 EL123456789 ESA12345678 ES12345678Z ESX1234567L FI12345678 FR12345678901
  FRXX123456789 HR12345678901 HU12345678 IE1234567T IE1X23456T IE1234567WA IE1+23456T IT12345678901 LT123456789
  LT123456789012 LU12345678 LV12345678901 MT12345678 NL123456789B01 NLX2345678+B0* PL1234567890 PT123456789 RO12
  RO1234567890 SE123456789012 SI12345678 SK1234567890 XI123456789 XI123456789012 XIGD123 XIHA599
`
  .trim()
  .split(/\s+/);

test('numbers of all prefixes are read as they are', () => {
  for (const number of EXAMPLES) assert.equal(readVatNumber(number), number);
  assert.deepEqual([...new Set(EXAMPLES.map((number) => number.slice(0, 2)))], VAT_PREFIXES);
});

test('spaces, dots, hyphens and small letters make no difference, and GR is EL', () => {
  assert.equal(readVatNumber(' de 123.456-789 '), 'DE123456789');
  assert.equal(readVatNumber('GR 123456789'), 'EL123456789');
  assert.equal(readVatNumber('fr xx 123 456 789'), 'FRXX123456789');
});

test('what does not have its country’s form is no VAT number', () => {
  for (const text of [
    '',
    'DE',
    'DE12345678',
    'DE1234567890',
    'DE12345678X',
    'AT12345678',
    'BE2123456789',
    'ES123456789',
    'FRIO123456789',
    'NL123456789C01',
    'GB123456789',
    'CHE123456789',
    'US123456789',
    'constructor',
    '١٢٣٤٥٦٧٨٩',
    'DE１２３４５６７８９',
  ]) {
    assert.equal(readVatNumber(text), null, text);
  }
});

test('property: what was read is read again as the same', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom(...EXAMPLES)), (text) => {
      const number = readVatNumber(text);
      if (number !== null) assert.equal(readVatNumber(number), number);
    }),
  );
});

test('every member state has a prefix, and other countries have none', () => {
  const prefixes = MEMBER_STATES.map(vatPrefix);
  assert.deepEqual(new Set([...prefixes, vatPrefix('GB')]), new Set(VAT_PREFIXES));
  assert.deepEqual(['GR', 'MC', 'GB', 'CH', 'US', 'EL', ''].map(vatPrefix), [
    'EL',
    'FR',
    'XI',
    null,
    null,
    'EL',
    null,
  ]);
});
