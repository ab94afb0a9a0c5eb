import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../../test/fixture.ts';
import { attempt } from './attempt.ts';
import { LIMITS } from './limits.ts';

const { pool, clock } = await openFixture();
const line = (site: string, number: number) => `2001:db8:${site}:${number.toString(16)}::1`;

/** How often this place gets through, until it is stopped. */
async function tries(limits: Parameters<typeof attempt>[1]): Promise<number> {
  let times = 0;
  while ((await attempt(pool, limits, clock.now())) === null) times += 1;
  return times;
}

for (const [what, limits, oneLine] of [
  ['register', LIMITS.register, 60],
  ['reset', (ip: string) => LIMITS.reset(`${ip}@example.com`, ip), 5],
  ['log in', (ip: string) => LIMITS.login(`${ip}@example.com`, ip, null), 10],
  ['redeem', (ip: string) => LIMITS.voucher(ip, ip), 10],
  ['accept', LIMITS.accept, 60],
] as const) {
  test(`${what}: who has a /48 gets no further by its 65,536 lines than four of them`, async () => {
    const site = what.length.toString(16) + what.charCodeAt(0).toString(16);
    assert.equal(await tries(limits(line(site, 0))), oneLine);
    let all = 0;
    let number = 0;
    for (let got = 1; got > 0; number += 1) {
      got = await tries(limits(line(site, number + 1)));
      all += got;
    }
    assert.ok(all <= 800 && number < 100, `${all} tries by ${number} lines`);
    assert.equal(await tries(limits(line(`${site}0`, 0))), oneLine, 'another site is not concerned');
  });
}

test('IPv4 is counted by the address alone', () => {
  assert.equal(LIMITS.register('192.0.2.1').length, 1);
  assert.equal(LIMITS.register('::ffff:192.0.2.1').length, 1);
  assert.equal(LIMITS.register('2001:db8::1').length, 2);
});
