import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { mailedToken } from '../../../test/mailed.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data } = requests;
const people = openPeople(fixture, requests);

test('who takes an account over by its mailbox shuts everybody out who came before', async () => {
  const squatter = await people.owner();
  const admin = await people.member(squatter, 'admin');
  await data('account/webhook-create', { url: 'https://squatter.example/', events: ['*'] }, squatter.sent);
  const third = { email: 'third@example.org', role: 'admin', password: PASSWORD };
  await data('account/user-invite', third, squatter.sent);
  const invited = await mailedToken(fixture, 'account.invitation', 'third@example.org');
  await people.secondFactor(squatter);
  await data('account/password-reset', { email: squatter.email });
  const token = await mailedToken(fixture, 'account.password-reset', squatter.email);
  const password = 'incorrect zebra dynamo clip';
  await data('account/password-reset-confirm', { token, new_password: password });
  fixture.clock.set(fixture.clock.now().add({ seconds: 2 }));
  await requests.refused('credentials_invalid', 'account/login', { email: admin.email, password: PASSWORD });
  await requests.refused('link_invalid', 'account/user-accept', {
    token: invited,
    password,
    first_name: 'Third',
    last_name: 'One',
  });
  const owner = await people.logIn({ email: squatter.email, password });
  assert.deepEqual((await data('account/webhooks', {}, owner)).webhooks, []);
  assert.equal((await data('account/users', {}, owner)).users.length, 1);
  assert.equal((await data('account/session', {}, owner)).account.email_verified, true);
});

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
