import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isValidBIC } from 'ibantools';
import { findBank } from './directory.ts';

const now = Temporal.Instant.from('2027-01-15T12:00:00Z');

test('banks of the five countries are found with name and BIC', () => {
  assert.deepEqual(findBank('DE', '37040044', now), { name: 'Commerzbank', bic: 'COBADEFFXXX' });
  assert.deepEqual(findBank('AT', '12000', now), { name: 'UniCredit Bank Austria AG', bic: 'BKAUATWWXXX' });
  assert.deepEqual(findBank('CH', '00762', now), null);
  assert.deepEqual(findBank('CH', '00100', now), { name: 'Schweizerische Nationalbank', bic: 'SNBZCHZZXXX' });
  assert.deepEqual(findBank('NL', 'ABNA', now), { name: 'ABN AMRO BANK N.V.', bic: 'ABNANL2A' });
  assert.deepEqual(findBank('BE', '001', now), { name: 'BNP Paribas Fortis', bic: 'GEBABEBB' });
});

test('what no list has is null: a bank, a BIC, a country', () => {
  assert.equal(findBank('DE', '00000000', now), null);
  assert.equal(findBank('AT', '99999', now), null);
  assert.equal(findBank('BE', '907', now)?.bic, null);
  assert.equal(findBank('FR', '20041', now), null);
});

for (const country of ['at', 'be', 'ch', 'nl']) {
  test(`the list of ${country} is whole: names, BICs of the country's form, each code once`, () => {
    const text = readFileSync(new URL(`lists/${country}.tsv`, import.meta.url), 'utf8');
    const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const codes = rows.flatMap((row) => (row.split('\t')[2] ?? '').split(' '));
    assert.ok(codes.length > 50);
    assert.equal(new Set(codes).size, codes.length);
    for (const row of rows) {
      const [bic = '', name = ''] = row.split('\t');
      assert.ok(name.length > 1, row);
      assert.ok(bic === '' || isValidBIC(bic), row);
    }
  });
}
