import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../../test/fixture.ts';
import { networkOf } from '../../../base/ip.ts';
import { attempt, bucketOf } from './attempt.ts';

const { pool, clock } = await openFixture();

test('attempts at once are counted exactly, and the window ends on time', async () => {
  const limit = { bucket: 'exact', limit: 5, windowSeconds: 60 };
  const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(pool, [limit], clock.now())));
  assert.equal(answers.filter((answer) => answer === null).length, 5);
  const late = clock.now().add({ seconds: 59 });
  assert.deepEqual(await attempt(pool, [limit], late), { limit: 5, windowSeconds: 60, retryAfter: 1 });
  assert.equal(await attempt(pool, [limit], clock.now().add({ seconds: 60 })), null);
});

test('who is stopped by the first limit does not use up the second', async () => {
  const own = { bucket: 'own', limit: 1, windowSeconds: 60 };
  const shared = { bucket: 'shared', limit: 2, windowSeconds: 60 };
  for (let count = 0; count < 10; count += 1) await attempt(pool, [own, shared], clock.now());
  const other = { ...own, bucket: 'other' };
  assert.equal(await attempt(pool, [other, shared], clock.now()), null);
});

test('a bucket does not tell what was typed', () => {
  assert.ok(!bucketOf('login-of', 'my secret password').includes('secret'));
  assert.notEqual(bucketOf('x', 'a', 'bc'), bucketOf('x', 'ab', 'c'));
});

test('an IPv6 network is one address, IPv4 inside IPv6 is IPv4', () => {
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(networkOf('2001:DB8:1:2::1'), networkOf('2001:db8:1:2:ffff::'));
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64');
  assert.equal(networkOf('::1'), '0:0:0:0::/64');
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1');
});
