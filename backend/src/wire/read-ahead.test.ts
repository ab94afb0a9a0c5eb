// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LICENSE, openFixture } from '../../test/fixture.ts';
import { openRequests } from '../../test/requests.ts';

const fixture = await openFixture();
const { pool, customer, clock } = fixture;
const { call, data } = openRequests(fixture);
const input = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };

/** Asks until the answer has another status; it is bounded by the time that a token is remembered. */
async function until(status: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = [];
  const end = performance.now() + 2_000;
  for (let begun = 0; begun < end && seen.at(-1) !== status; ) {
    begun = performance.now();
    seen.push((await ask()).status);
  }
  return seen;
}

test('a resource that was read ahead is not shown to a token that was revoked meanwhile', async () => {
  const who = await customer(1_000n);
  const { license_uuid: uuid } = await data('panel/order', input, { token: who.secret });
  const details = () => call('panel/details', { uuid }, { token: who.secret });
  assert.equal((await details()).status, 200);
  await pool.kysely
    .updateTable('tokens')
    .set({ revoked_at: clock.now() })
    .where('id', '=', who.tokenId)
    .execute();
  const seen = await until(401, details);
  assert.equal(seen.at(-1), 401);
  assert.ok(seen.slice(0, -1).every((status) => status === 200));
  assert.equal((await details()).status, 401);
});

test('a token that is looked up again still finds its own things, and nobody else’s', async () => {
  const [who, other] = [await customer(1_000n), await customer(1_000n)];
  const { license_uuid: uuid } = await data('panel/order', input, { token: who.secret });
  // Long enough for the memory of both tokens to become old, so that reads begin ahead.
  for (const end = performance.now() + 1_100; performance.now() < end; ) {
    assert.equal((await call('panel/details', { uuid }, { token: who.secret })).status, 200);
    assert.equal((await call('panel/details', { uuid }, { token: other.secret })).status, 404);
  }
});
