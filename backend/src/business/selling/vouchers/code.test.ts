import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newVoucherCode, normalizeVoucherCode, voucherHash, voucherTail } from './code.ts';

test('codes are four groups of what nobody misreads, and never the same', () => {
  const codes = new Set(Array.from({ length: 1000 }, newVoucherCode));
  assert.equal(codes.size, 1000);
  for (const code of codes)
    assert.match(code, /^([34679ACDEFGHJKMNPQRTWXY]{4}-){3}[34679ACDEFGHJKMNPQRTWXY]{4}$/);
});

test('capitals, spaces, line ends and dashes of any kind make no difference', () => {
  for (const written of [
    'abcd-1234',
    ' AB CD\t12\n34 ',
    'ab–cd—12‐34',
    'ＡＢＣＤ－１２３４',
    '-a-b-c-d-1-2-3-4-',
  ]) {
    assert.equal(normalizeVoucherCode(written), 'ABCD1234', written);
    assert.deepEqual(voucherHash(written), voucherHash('ABCD1234'), written);
  }
  assert.notDeepEqual(voucherHash('ABCD123'), voucherHash('ABCD1234'));
});

test('a tail is the last four characters', () => {
  assert.equal(voucherTail('demo-ten-euro'), 'EURO');
});
