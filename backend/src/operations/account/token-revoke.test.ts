import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const { data, refused } = openRequests(fixture);
const owner = await fixture.customer(100_000n);
const token = owner.secret;
const create = () => data('account/token-create', { name: 'made', scopes: ['*'] }, { token });

test('a revoked token changes nothing from then on, in any process, and another process refuses it at once', async () => {
  const made = await create();
  const [here, there] = [openRequests(fixture), openRequests(fixture)];
  for (const one of [here, there]) await one.data('account/balance', {}, { token: made.token });
  await data('account/token-revoke', { uuid: made.uuid }, { token });
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  for (const one of [here, there]) {
    await one.refused('token_revoked', 'panel/order', order, { token: made.token });
  }
  await openRequests(fixture).refused('token_revoked', 'account/balance', {}, { token: made.token });
});

test('revoking twice changes nothing, and tells of one event', async () => {
  const made = await create();
  const first = await data('account/token-revoke', { uuid: made.uuid }, { token });
  fixture.clock.set(fixture.clock.now().add({ minutes: 1 }));
  assert.deepEqual(await data('account/token-revoke', { uuid: made.uuid }, { token }), first);
  const { rows } = await fixture.pool.pg.query(
    "SELECT count(*) AS count FROM events WHERE type = 'account.token_revoked' AND body ->> 'token_uuid' = $1",
    [made.uuid],
  );
  assert.equal(rows[0].count, 1n);
});

test('a token may end itself, and nobody ends another customer’s', async () => {
  const stranger = await fixture.customer(0n);
  const made = await create();
  const foreign = await refused(
    'not_found',
    'account/token-revoke',
    { uuid: made.uuid },
    { token: stranger.secret },
  );
  const unknown = await refused(
    'not_found',
    'account/token-revoke',
    { uuid: owner.accountId },
    { token: stranger.secret },
  );
  assert.equal(foreign.response, unknown.response);
  await data('account/token-revoke', { uuid: made.uuid }, { token: made.token });
  await refused('token_revoked', 'account/token-create', { name: 'x', scopes: ['*'] }, { token: made.token });
});
