// Needs: database

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../test/fixture.ts';
import { openRequests } from '../../test/requests.ts';
import { issueToken, newTokenSecret } from '../business/core/access/token.ts';

const fixture = await openFixture();
const { call } = openRequests(fixture, {
  limits: { perToken: 100, perAccount: 20, perAddress: 1_000_000 },
});

test('an account has one limit, however many tokens it makes', async () => {
  const { accountId, userId } = await fixture.customer(0n);
  let answered = 0;
  for (let token = 0; token < 6; token += 1) {
    const secret = newTokenSecret();
    const draft = { accountId, userId, kind: 'api' as const, name: 'one of many' };
    await issueToken(fixture.pool, { ...draft, scopes: ['*'], expiresAt: null }, secret, fixture.clock.now());
    for (let request = 0; request < 10; request += 1)
      if ((await call('account/balance', {}, { token: secret })).status === 200) answered += 1;
  }
  assert.ok(answered >= 18 && answered <= 20, `${answered} of 60 were answered`);
  const other = await fixture.customer(0n);
  assert.equal((await call('account/balance', {}, { token: other.secret })).status, 200);
});
