import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWrittenIn, mixesScripts } from './scripts.ts';

test('words of one language mix nothing, with digits and hyphens too', () => {
  for (const label of [
    'paypal-24',
    'straße',
    '2027',
    'пример',
    'παράδειγμα',
    '例え-テスト',
    '日本go',
    '한국어漢字',
    'ㄅㄆ注音',
    'हिन्दी',
    'دامنه۴',
    'l·l',
    'カー',
  ]) {
    assert.equal(mixesScripts(label), false, label);
  }
});

test('names that look like others mix scripts', () => {
  for (const label of ['pаypal', 'gооgle', 'αpple', 'ехample1', '한さ', 'пример日本', 'éклер', 'ᏣhᎳ']) {
    assert.equal(mixesScripts(label), true, label);
  }
});

test('a label is written in scripts when each character is in one of them, or in none', () => {
  assert.equal(isWrittenIn('bücher-1', ['Latin']), true);
  assert.equal(isWrittenIn('пример-1', ['Latin']), false);
  assert.equal(isWrittenIn('пример-1', ['Latin', 'Cyrillic']), true);
  assert.equal(isWrittenIn('2027-1', []), true);
  assert.equal(isWrittenIn('カー', ['Katakana']), true);
});
