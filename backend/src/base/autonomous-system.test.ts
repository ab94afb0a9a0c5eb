import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSystemNumber, specialNumbersOf } from './autonomous-system.ts';

test('a number of an autonomous system is read as people write it', () => {
  for (const text of ['AS64496', 'as64496', 'AS 64496', ' 64496 '])
    assert.equal(readSystemNumber(text), 64496);
  assert.equal(readSystemNumber('AS4294967295'), 4_294_967_295);
  for (const text of ['', 'AS', 'AS4294967296', 'AS-1', 'AS1.2', 'ASN1', '1e3']) {
    assert.equal(readSystemNumber(text), null, text);
  }
});

test('numbers that are nobody’s say what they are for', () => {
  assert.deepEqual(specialNumbersOf(64512), { numbers: 'AS64512-AS65534', name: 'Private Use' });
  assert.deepEqual(specialNumbersOf(0), { numbers: 'AS0', name: 'Reserved' });
  assert.equal(specialNumbersOf(3320), null);
});
