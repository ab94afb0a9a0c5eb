import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transferInstructions } from './transfer.ts';

const ACCOUNT = {
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
  bank: 'Beispielbank',
  beneficiary: 'Example Hosting GmbH',
};

test('the code says what EPC069-12 wants, line by line', async () => {
  const order = { amount: 49_90n, currency: 'EUR', reference: 'HK-7F3K-92QX' };
  const { epcQr, iban, reference } = await transferInstructions(ACCOUNT, order);
  assert.deepEqual([iban, reference], [ACCOUNT.iban, order.reference]);
  assert.deepEqual(epcQr?.text.split('\n'), [
    'BCD',
    '002',
    '1',
    'SCT',
    'BYLADEM1001',
    'Example Hosting GmbH',
    'DE02120300000000202051',
    'EUR49.90',
    '',
    '',
    'HK-7F3K-92QX',
  ]);
  const [type, content = ''] = epcQr.svg.split(',');
  assert.equal(type, 'data:image/svg+xml;base64');
  assert.match(Buffer.from(content, 'base64').toString(), /^<svg [\s\S]*<\/svg>\s*$/);
});

test('there is a code without a BIC, and none for other currencies', async () => {
  const order = { amount: 1n, currency: 'EUR', reference: 'HK-7F3K-92QX' };
  const { epcQr } = await transferInstructions({ ...ACCOUNT, bic: null }, order);
  assert.equal(epcQr?.text.split('\n')[4], '');
  assert.equal((await transferInstructions(ACCOUNT, { ...order, currency: 'CHF' })).epcQr, null);
});
