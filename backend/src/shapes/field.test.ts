import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uuid } from './field.ts';

test('a UUID is read in either case, and is the same in lower case from there on', () => {
  const lower = '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11';
  for (const given of [lower, lower.toUpperCase(), '0198F6C2-6f0e-7C55-9d0e-0A3a2f0E5b11']) {
    assert.equal(uuid.parse(given), lower);
  }
  for (const given of [`{${lower}}`, lower.replaceAll('-', ''), `${lower} `, lower.replace('f', 'g')]) {
    assert.equal(uuid.safeParse(given).success, false, given);
  }
});
