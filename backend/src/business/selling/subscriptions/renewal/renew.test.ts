import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../../../test/fixture.ts';
import { timeTravel } from '../../../../../test/time-travel.ts';
import renew from '../../../../operations/panel/renew.ts';
import { writeTogether } from '../../../../wire/write.ts';

const fixture = await openFixture();
const { license } = timeTravel(fixture);

test('each of two renewals in one transaction counts as a change of its own', async () => {
  const who = await fixture.customer(100_00n);
  const uuid = await license(who);
  const twice = Array.from({ length: 2 }, () => fixture.item(renew, who, { uuid, duration: 1 }));
  const outcomes = await writeTogether(fixture.pool, twice);
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['answered', 'answered'],
  );
  const { rows } = await fixture.pool.pg.query(
    'SELECT version, expire_at::text FROM services WHERE id = $1',
    [uuid],
  );
  assert.deepEqual(rows, [{ version: 3, expire_at: '2027-04-15 12:00:00+00' }]);
});
