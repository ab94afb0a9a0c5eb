// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Customer, openFixture } from '../../../../../test/fixture.ts';
import { openRequests } from '../../../../../test/requests.ts';
import { timeTravel } from '../../../../../test/time-travel.ts';
import { wireTime } from '../../../../base/time.ts';

const fixture = await openFixture();
const { clock, customer, balanceOf, booksProblems } = fixture;
const { license, service, charges, sweep } = timeTravel(fixture);
const { call } = openRequests(fixture);

const TIMES = 200;
const PAID = 399n;

/** A license in the hour in which it renews itself. */
async function dueLicense(who: Customer): Promise<string> {
  clock.set(Temporal.Instant.from('2027-03-10T09:00:00Z'));
  const uuid = await license(who);
  clock.set(Temporal.Instant.from('2027-04-09T10:00:00Z'));
  return uuid;
}

test(`the nightly renewal, the customer's own and their cancellation at one instant charge one term at most, ${TIMES} times`, async () => {
  const seen = new Set<string>();
  for (let time = 0; time < TIMES; time += 1) {
    const who = await customer(100_00n);
    const uuid = await dueLicense(who);
    const sent = { token: who.secret };
    const expected = wireTime((await service(uuid)).expire_at);
    // Whoever comes first changes from time to time, which the order of sending alone does not bring about.
    const rivals = [
      () => sweep(),
      () => call('panel/renew', { uuid, duration: 1, expected_expire_at: expected }, sent),
      () => call('panel/cancel', { uuid, mode: 'end_of_term' }, sent),
    ];
    const turned = [...rivals.slice(time % 3), ...rivals.slice(0, time % 3)];
    await Promise.all(turned.map((rival) => rival()));

    const paid = await charges(uuid);
    const { state, expire_at } = await service(uuid);
    assert.ok(paid.length === 1 || paid.length === 2, 'one term more at most');
    assert.equal(await balanceOf(who), 100_00n - PAID * BigInt(paid.length));
    assert.equal(wireTime(expire_at).slice(0, 10), paid.at(-1)?.to);
    assert.equal(state, 'cancel_scheduled', 'the cancellation is heard in any case');
    seen.add(String(paid.length));
  }
  assert.deepEqual([...seen].sort(), ['1', '2'], 'they came in one order only: nothing was tried');
  assert.deepEqual(await booksProblems(), []);
});

test('who renews a term that was renewed meanwhile, and says which end they mean, is charged nothing', async () => {
  const who = await customer(100_00n);
  const uuid = await dueLicense(who);
  const expected = wireTime((await service(uuid)).expire_at);
  await sweep();
  const late = await call(
    'panel/renew',
    { uuid, duration: 1, expected_expire_at: expected },
    { token: who.secret },
  );
  assert.equal(late.body.error, 'version_mismatch', late.text);
  assert.equal(late.body.expire_at, wireTime((await service(uuid)).expire_at));
  assert.equal((await charges(uuid)).length, 2);
});
