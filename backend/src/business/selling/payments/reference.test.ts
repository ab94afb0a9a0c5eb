import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { drawReference, referencesIn } from './reference.ts';

test('a reference is eight letters in two groups, none of which is mistaken for another', () => {
  for (let times = 0; times < 500; times += 1) {
    assert.match(drawReference(), /^HK-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
  }
});

test('it is found whatever case, spaces, dashes and line breaks it was written with', () => {
  const separator = fc.constantFrom('', ' ', '-', '\n', ' - ', '\r\n');
  fc.assert(
    fc.property(
      fc.array(separator, { minLength: 10, maxLength: 10 }),
      fc.boolean(),
      fc.constantFrom('', 'Top-up ', 'Rechnung 4711/', 'HK ', 'EREF: '),
      fc.constantFrom('', ' thanks', '\n\nErika Mustermann'),
      (separators, lower, before, behind) => {
        const reference = drawReference();
        const written = [...reference.replaceAll('-', '')]
          .map((letter, at) => letter + (separators[at] ?? ''))
          .join('');
        const text = `${before}${lower ? written.toLowerCase() : written}${behind}`;
        assert.ok(referencesIn(text).includes(reference), text);
      },
    ),
  );
});

/** Enough to come to what one in sixty would get wrong. */
const MANY = 2_000;

test('two neighbours swapped are another reference, and none begins inside of one', () => {
  for (let times = 0; times < MANY; times += 1) {
    const reference = drawReference();
    const letters = [...reference.replaceAll('-', '').slice(2)];
    assert.ok(!letters.join('').includes('HK'));
    for (const [at, letter] of letters.entries()) {
      const next = letters[at + 1];
      if (next === undefined || next === letter) continue;
      const swapped = letters.with(at, next).with(at + 1, letter);
      assert.deepEqual(referencesIn(`HK${swapped.join('')}`), [], `${reference} ${swapped.join('')}`);
    }
  }
});

test('one wrong letter is another reference', () => {
  const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
  const letters = [...drawReference().replaceAll('-', '').slice(2)];
  for (const [at, letter] of letters.entries()) {
    for (const wrong of alphabet) {
      if (wrong !== letter) assert.deepEqual(referencesIn(`HK${letters.with(at, wrong).join('')}`), []);
    }
  }
});

test('several are all found, each once', () => {
  const [one, other] = [drawReference(), drawReference()];
  assert.deepEqual(referencesIn(`${one} and ${other}, again ${one}`), [one, other]);
  assert.deepEqual(referencesIn('no reference at all'), []);
});
