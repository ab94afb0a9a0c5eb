import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantOf, readInstant } from './date-time.ts';

test('moments are read with fractions and zones, and without a zone as UTC', () => {
  const moments: readonly (readonly [string, string])[] = [
    ['2028-02-29T23:59:59Z', '2028-02-29T23:59:59Z'],
    ['2027-01-15T12:00:00', '2027-01-15T12:00:00Z'],
    ['2027-01-15T12:00:00.0Z', '2027-01-15T12:00:00Z'],
    ['2027-01-15T12:00:00.123456789012345Z', '2027-01-15T12:00:00.123456789Z'],
    ['2027-01-15T00:30:00+02:00', '2027-01-14T22:30:00Z'],
    ['2027-12-31t23:30:00.5-05:30', '2028-01-01T05:00:00.5Z'],
  ];
  for (const [text, moment] of moments) assert.equal(instantOf(text)?.toString(), moment, text);
});

test('what is no moment is not taken for its absence', () => {
  assert.equal(readInstant(null), null);
  for (const text of ['', '2027-01-15', '2027-02-29T00:00:00Z', '2027-01-15 12:00:00', '1800000000', 'never'])
    assert.throws(() => readInstant(text), /date cannot be read/, text);
});
