import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const payment = { methods: () => ['bank'], transferInstructions: async () => null };
const { call } = openRequests(fixture, { ports: { payment } as never });

test('an account begins at most thirty payments an hour: each is asked for at its provider until it expires', async () => {
  const who = await fixture.customer(0n);
  let begun = 0;
  for (let at = 0; at < 100; at += 1) {
    const answer = await call('account/topup', { amount: 5, method: 'bank' }, { token: who.secret });
    if (answer.body.error === 'rate_limited') break;
    begun += 1;
  }
  assert.equal(begun, 30);
});
