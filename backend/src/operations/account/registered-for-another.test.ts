import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { mailedToken } from '../../../test/mailed.ts';
import { openPeople } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data } = requests;
const people = openPeople(fixture, requests);

test('who registered with the address of another keeps no token once its owner takes the account over', async () => {
  const squatter = await people.owner();
  const api = await people.apiToken(squatter);
  assert.equal((await call('account/session', {}, { token: api })).status, 200);
  await data('account/password-reset', { email: squatter.email });
  const token = await mailedToken(fixture, 'account.password-reset', squatter.email);
  await data('account/password-reset-confirm', { token, new_password: 'incorrect zebra dynamo clip' });
  fixture.clock.set(fixture.clock.now().add({ seconds: 2 }));
  const later = openRequests(fixture);
  assert.equal((await later.call('account/session', {}, { token: api })).body.error, 'token_revoked');
});
