import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Customer, LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const { pool, clock } = fixture;
const { data, refused } = openRequests(fixture);

async function licensed(): Promise<{ who: Customer; uuid: string; sent: { token: string } }> {
  const who = await fixture.customer(1_000n);
  const sent = { token: who.secret };
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  return { who, sent, uuid: (await data('panel/order', order, sent)).license_uuid };
}

async function dueAt(uuid: string): Promise<string | undefined> {
  const { rows } = await pool.pg.query<{ due: string }>(
    'SELECT due_at::text AS due FROM services WHERE id = $1',
    [uuid],
  );
  return rows[0]?.due;
}

test('what is left out stays as it is, and only what really changes counts as a change', async () => {
  const { uuid, sent } = await licensed();
  const set = (input: object) => data('panel/settings', { uuid, ...input }, sent);
  const first = { uuid, auto_renew: false, custom_name: 'Shop', version: 2 };
  assert.deepEqual(await set({ custom_name: 'Shop' }), first);
  assert.deepEqual(await set({}), first);
  assert.deepEqual(await set({ custom_name: 'Shop', auto_renew: false }), first);
  assert.deepEqual(await set({ auto_renew: true }), { ...first, auto_renew: true, version: 3 });
  assert.deepEqual(await set({ custom_name: '' }), {
    ...first,
    auto_renew: true,
    custom_name: null,
    version: 4,
  });
  const body = await refused('version_mismatch', 'panel/settings', { uuid, expected_version: 3 }, sent);
  assert.equal(body.current_version, 4);
});

test('switching renewal on or off has the service looked at at once; a name does not', async () => {
  const { uuid, sent } = await licensed();
  const before = await dueAt(uuid);
  clock.set(clock.now().add({ hours: 1 }));
  await data('panel/settings', { uuid, custom_name: 'Shop' }, sent);
  assert.equal(await dueAt(uuid), before);
  await data('panel/settings', { uuid, auto_renew: true }, sent);
  assert.equal(await dueAt(uuid), '2027-01-15 13:00:00+00');
});

test('what has ended renews no more, but keeps its name', async () => {
  const { uuid, sent } = await licensed();
  await data('panel/cancel', { uuid, mode: 'immediate' }, sent);
  await refused('state_conflict', 'panel/settings', { uuid, auto_renew: true }, sent);
  assert.equal((await data('panel/settings', { uuid, custom_name: 'Old' }, sent)).custom_name, 'Old');
});
