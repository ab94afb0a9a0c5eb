import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestampInput } from './field.ts';

test('a moment is taken as the interface writes it, or as RFC 3339, and means the same', () => {
  for (const given of [
    '2027-01-31 23:00:00',
    '2027-01-31T23:00:00Z',
    '2027-01-31 23:00:00.999Z',
    '2027-02-01T00:00:00+01:00',
    '2027-01-31T18:00:00-05:00',
  ])
    assert.equal(timestampInput.parse(given), '2027-01-31 23:00:00', given);
  for (const refused of ['2027-01-31T23:00:00', '2027-01-31', '1769900400', '2027-01-31 23:00:00 UTC'])
    assert.ok(!timestampInput.safeParse(refused).success, refused);
});
