import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../test/fixture.ts';
import { openRequests } from '../../test/requests.ts';

const fixture = await openFixture();

test('requests without a good token count against the address that they come from', async () => {
  const { call } = openRequests(fixture, { limits: { perToken: 1000, perAddress: 20 } });
  const told: string[] = [];
  for (let at = 0; at < 40; at += 1) {
    const sent = { token: `hk_guess${at}`, ip: `2001:db8:77::${at.toString(16)}` };
    told.push((await call('account/session', {}, sent)).body.error);
  }
  assert.equal(told.at(0), 'token_invalid');
  assert.equal(told.at(-1), 'rate_limited');
  const who = await fixture.customer(0n);
  const good = await call('account/session', {}, { token: who.secret, ip: '2001:db8:77::1' });
  assert.equal(good.status, 200, 'a good token from there has its own limit');
});
