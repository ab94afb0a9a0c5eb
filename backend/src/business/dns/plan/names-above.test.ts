import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWithin, namesBetween } from '../../../base/dns/name.ts';
import { NamesAbove } from './names-above.ts';

const ZONE = 'example.com';
const label = fc.constantFrom('a', 'b', 'ab', '*', 'a\\.b', 'example', 'com');
const name = fc.array(label, { maxLength: 6 }).map((labels) => [...labels, ZONE].join('.'));

test('whatever names there are, those above one are found that are there or have a wildcard, the nearest first', () => {
  fc.assert(
    fc.property(fc.array(name), name, (names, one) => {
      const there = new Set(names);
      const above = new NamesAbove(ZONE);
      for (const each of names) above.add(each);
      const expected = namesBetween(one, ZONE).filter(
        (parent) => there.has(parent) || there.has(`*.${parent}`),
      );
      assert.deepEqual(above.of(one), expected);
      assert.ok(above.of(one).every((parent) => isWithin(parent, ZONE)));
    }),
    { numRuns: 2_000 },
  );
});
