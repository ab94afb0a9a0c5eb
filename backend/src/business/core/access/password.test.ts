import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseOptions } from '@node-rs/argon2';
import { Overloaded } from '../../../base/semaphore.ts';
import { hashPassword, isGuessable, verifyPassword } from './password.ts';

test('a password is verified against its hash, and no other is', async () => {
  const hash = await hashPassword('correct horse battery');
  assert.equal(await verifyPassword(hash, 'correct horse battery'), true);
  assert.equal(await verifyPassword(hash, 'correct horse batterz'), false);
  assert.notEqual(hash, await hashPassword('correct horse battery'), 'each has its own salt');
});

test('hashes are argon2id with 19 MiB and two passes', async () => {
  const hash = await hashPassword('correct horse battery');
  assert.match(hash, /^\$argon2id\$v=19\$/);
  const { memoryCost, timeCost, parallelism } = parseOptions(hash);
  assert.deepEqual(
    { memoryCost, timeCost, parallelism },
    { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  );
});

test('an address without a password is verified with the same work, and never succeeds', async () => {
  for (const password of ['', 'correct horse battery', '\0'.repeat(32)]) {
    assert.equal(await verifyPassword(null, password), false);
  }
  const hash = await hashPassword('correct horse battery');
  const spent = async (stored: string | null) => {
    const before = process.cpuUsage();
    await verifyPassword(stored, 'something else');
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const least = async (stored: string | null) =>
    Math.min(await spent(stored), await spent(stored), await spent(stored));
  const [known, unknown] = [await least(hash), await least(null)];
  assert.ok(unknown > known / 2 && unknown < known * 2, `known ${known} µs, unknown ${unknown} µs`);
});

test('a password typed in another normal form is the same password', async () => {
  const hash = await hashPassword('schlüssel-größe'.normalize('NFC'));
  assert.equal(await verifyPassword(hash, 'schlüssel-größe'.normalize('NFD')), true);
});

test('too many at once are refused instead of queueing without end', async () => {
  const all = await Promise.allSettled(Array.from({ length: 103 }, () => verifyPassword(null, 'x')));
  const refused = all.filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 1);
  assert.ok(refused[0]?.reason instanceof Overloaded);
});

test('the own address and a handful of characters are guessable', () => {
  assert.equal(isGuessable('ada@example.com', 'ada@example.com'), true);
  assert.equal(isGuessable('ADA@example.com1', 'ada@example.com'), true);
  assert.equal(isGuessable('121212121212', 'ada@example.com'), true);
  assert.equal(isGuessable('correct horse battery', 'ada@example.com'), false);
});
