import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openFixture } from '../../../../../test/fixture.ts';
import { lossyProxy } from '../../../../../test/lossy-proxy.ts';
import { timeTravel } from '../../../../../test/time-travel.ts';
import { APPLICATION_ROLE } from '../../../../db/migrate.ts';
import { Pool } from '../../../../db/pool.ts';

let lossy: Pool | undefined;
after(() => lossy?.end()); // before the fixture's own, which drops the database
const fixture = await openFixture();
const { clock, customer, balanceOf, booksProblems, database } = fixture;
const proxy = await lossyProxy(database.url);
lossy = new Pool({
  url: proxy.url,
  size: 6,
  name: 'lossy',
  role: APPLICATION_ROLE,
  lockTimeoutMs: 60_000,
  settleWithinMs: 200,
});
const certain = timeTravel(fixture);
const { sweep } = timeTravel({ ...fixture, pool: lossy });

for (const lose of ['before', 'after'] as const)
  test(`renewals whose COMMIT is lost ${lose} it took effect are charged once, by whichever sweep`, async () => {
    clock.set(Temporal.Instant.from('2027-01-31T09:00:00Z'));
    const customers = [await customer(100_00n), await customer(100_00n), await customer(100_00n)];
    const licenses: string[] = [];
    for (const one of customers) licenses.push(await certain.license(one));
    clock.set(Temporal.Instant.from('2027-02-28T12:00:00Z'));
    const charged = async () => {
      const all: number[] = [];
      for (const license of licenses) all.push((await certain.charges(license)).length);
      return all;
    };
    Object.assign(proxy.state, { lose, closesThen: true });
    await sweep();
    assert.ok(proxy.state.closed, 'a COMMIT was lost');
    assert.deepEqual(await charged(), lose === 'after' ? [2, 2, 2] : [1, 1, 1]);
    Object.assign(proxy.state, { closed: false, closesThen: false });
    for (let again = 0; again < 2; again += 1) {
      await sweep();
      assert.deepEqual(await charged(), [2, 2, 2]);
    }
    for (const one of customers) assert.equal(await balanceOf(one), 100_00n - 2n * 399n);
    assert.deepEqual(await booksProblems(), []);
  });
