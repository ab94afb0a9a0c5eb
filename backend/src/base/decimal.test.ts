import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatDecimal, parseDecimal, readDecimal } from './decimal.ts';

test('a decimal is read exactly, from text and from a number', () => {
  assert.equal(parseDecimal('12.99', 4), 129_900n);
  assert.equal(parseDecimal(12.99, 4), 129_900n);
  assert.equal(parseDecimal('0.0069', 4), 69n);
  assert.equal(parseDecimal(-0, 2), 0n);
  assert.equal(parseDecimal('-1.5', 2), -150n);
  assert.equal(parseDecimal(8, 0), 8n);
  assert.equal(parseDecimal('1.2300', 2), 123n);
});

test('a decimal that the scale cannot hold, or that is no plain decimal, is refused', () => {
  for (const input of [
    '1.00001',
    1.00001,
    1e-7,
    1e21,
    Number.NaN,
    Infinity,
    '',
    ' 1',
    '1.',
    '.5',
    '1,50',
    '01',
    '+1',
    '0x10',
    '1e3',
  ]) {
    assert.equal(readDecimal(input, 4).ok, false, String(input));
    assert.throws(() => parseDecimal(input, 4), RangeError);
  }
});

test('a number with more digits than a double holds is refused; the same text is exact', () => {
  assert.equal(readDecimal(1234567890123.4568, 4).ok, false);
  assert.equal(parseDecimal('1234567890123.4568', 4), 12345678901234568n);
  assert.equal(parseDecimal(Number.MAX_SAFE_INTEGER, 2), 900719925474099100n);
});

test('formatting prints every decimal, or drops zeros down to a minimum', () => {
  assert.equal(formatDecimal(129_900n, 4), '12.9900');
  assert.equal(formatDecimal(129_900n, 4, 2), '12.99');
  assert.equal(formatDecimal(129_000n, 4, 2), '12.90');
  assert.equal(formatDecimal(69n, 4, 2), '0.0069');
  assert.equal(formatDecimal(190_000n, 4, 0), '19');
  assert.equal(formatDecimal(-5n, 2), '-0.05');
  assert.equal(formatDecimal(7n, 0), '7');
});

test('every value survives being printed and read, as text and as a number of up to 15 digits', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.nat(6), fc.nat(6), (value, scale, minimum) => {
      assert.equal(parseDecimal(formatDecimal(value, scale, minimum), scale), value);
    }),
  );
  fc.assert(
    fc.property(fc.bigInt(-999_999_999_999_999n, 999_999_999_999_999n), fc.nat(4), (value, scale) => {
      assert.equal(parseDecimal(Number(formatDecimal(value, scale)), scale), value);
    }),
  );
});
