import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isCommonPassword } from './listed-password.ts';

for (const password of [
  'qwertyuiop123',
  '1qaz2wsx3edc',
  'justinbieber',
  'Password1234',
  'P4ssw0rd2024!',
  'p@$$w0rd1234',
  '123456password',
  'dragondragon',
  'LetMeIn-12345',
  'monkeyshadow',
  '!!Baseball2026!!',
  'ｐａｓｓｗｏｒｄ1234',
]) {
  test(`${password} is a common password`, () => assert.equal(isCommonPassword(password), true));
}

for (const password of [
  'correct horse battery staple',
  'incorrect zebra dynamo clip',
  'dragon839201748291',
  'mVx7-pLq2-Rk9w',
  'Grüße an Tante Erna!',
  'x\npassword\nx1234567',
  `${'a long sentence that nobody else would choose, '.repeat(2)}really`,
]) {
  test(`${JSON.stringify(password.slice(0, 30))} is none`, () =>
    assert.equal(isCommonPassword(password), false));
}

test('every password of the list is found in it', () => {
  const file = new URL(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'));
  const words: string[] = JSON.parse(readFileSync(file, 'utf8'));
  assert.ok(words.length > 40_000);
  assert.deepEqual(
    words.filter((word) => !isCommonPassword(word)),
    [],
  );
});
