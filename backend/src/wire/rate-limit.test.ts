import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../test/fixture.ts';
import { RateLimiter } from './rate-limit.ts';

const { pool, clock } = await openFixture();
const LIMIT = 40;

/** How many of `requests` a limiter lets through, one after the other. */
async function passed(limiter: RateLimiter, name: string, requests: number): Promise<number> {
  let count = 0;
  for (let request = 0; request < requests; request += 1) {
    if ((await limiter.take(name, LIMIT, clock.now())).allowed) count += 1;
  }
  return count;
}

test('a limit counts over all processes', async () => {
  const [one, two] = [new RateLimiter(pool), new RateLimiter(pool)];
  const counts = await Promise.all([passed(one, 'both', LIMIT), passed(two, 'both', LIMIT)]);
  const total = counts[0] + counts[1];
  assert.ok(total <= LIMIT + 2, `${total}: each may be ahead by one lease`);
  assert.ok(total >= LIMIT - 2, `${total}: what is leased is used`);
  assert.equal(await passed(one, 'both', 5), 0);
  assert.equal(await passed(two, 'both', 5), 0);
});

test('a limit is per bucket, and the next window is fresh', async () => {
  const limiter = new RateLimiter(pool);
  assert.equal(await passed(limiter, 'alone', LIMIT + 5), LIMIT);
  assert.equal(await passed(limiter, 'another', 3), 3);
  clock.set(clock.now().add({ seconds: 60 }));
  assert.equal(await passed(limiter, 'alone', 3), 3);
});

test('a database that fails once does not shut a bucket for the window', async () => {
  let failures = 1;
  const flaky = {
    kysely: pool.kysely,
    run: ((statement: never, values: never) =>
      failures-- > 0 ? Promise.reject(new Error('gone')) : pool.run(statement, values)) as typeof pool.run,
  };
  const limiter = new RateLimiter(flaky);
  const first = await Promise.allSettled([1, 2, 3, 4].map(() => limiter.take('flaky', LIMIT, clock.now())));
  assert.ok(first.some((result) => result.status === 'rejected'));
  assert.equal((await limiter.take('flaky', LIMIT, clock.now())).allowed, true);
});
