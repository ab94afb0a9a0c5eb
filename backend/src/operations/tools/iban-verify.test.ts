import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const { secret: token } = await fixture.customer(0n);
const { data, refused } = openRequests(fixture);
const verify = async (iban: string, language = 'en') =>
  await data('tools/iban-verify', { iban }, { token, headers: { 'accept-language': language } });

test('a valid IBAN is taken apart, and its bank is named', async () => {
  assert.deepEqual(await verify('de89 3704 0044 0532 0130 00'), {
    iban: 'DE89370400440532013000',
    formatted: 'DE89 3704 0044 0532 0130 00',
    valid: true,
    checks: { country: true, length: true, format: true, checksum: true },
    country: 'DE',
    country_name: 'Germany',
    sepa: true,
    check_digits: '89',
    bban: '370400440532013000',
    bank_code: '37040044',
    branch_code: null,
    account_number: '0532013000',
    bank: { name: 'Commerzbank', bic: 'COBADEFFXXX', city: null },
  });
});

test('banks of the five countries are named; of others, none', async () => {
  const bank = async (iban: string) => (await verify(iban)).bank;
  assert.equal((await bank('NL91 ABNA 0417 1643 00')).bic, 'ABNANL2A');
  assert.equal((await bank('AT61 1904 3002 3457 3201'))?.bic ?? null, null);
  assert.equal((await bank('BE71 0961 2345 6769')).bic, 'GKCCBEBB');
  assert.equal(await bank('FR14 2004 1010 0505 0001 3M02 606'), null);
});

test('an invalid IBAN is an answer, with what is known of it and no bank', async () => {
  const wrong = await verify('DE88 3704 0044 0532 0130 00');
  assert.deepEqual(
    [wrong.valid, wrong.checks.checksum, wrong.bank_code, wrong.bank],
    [false, false, '37040044', null],
  );
  const short = await verify('DE89 3704');
  assert.deepEqual(
    [short.country, short.check_digits, short.bban, short.bank_code],
    ['DE', '89', null, null],
  );
  const nowhere = await verify('US89 3704');
  assert.deepEqual([nowhere.country, nowhere.country_name, nowhere.sepa], [null, null, false]);
});

test("the country is named in the caller's language", async () => {
  assert.equal((await verify('DE89 3704 0044 0532 0130 00', 'de')).country_name, 'Deutschland');
  assert.equal((await verify('XK05 1212 0123 4567 8906', 'de')).country_name, 'Kosovo');
});

test('more than 42 characters are refused', async () => {
  await refused('validation_failed', 'tools/iban-verify', { iban: 'D'.repeat(43) }, { token });
  await refused('validation_failed', 'tools/iban-verify', {}, { token });
});
