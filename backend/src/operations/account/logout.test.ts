import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const { call, data, refused } = openRequests(fixture);

async function session() {
  const credentials = { email: 'ada@example.com', password: 'correct horse battery staple' };
  await call('account/register', { ...credentials, first_name: 'Ada', last_name: 'Lovelace', tos: true });
  const login = await call('account/login', credentials);
  const cookie = /^__Host-hostkeep_session=([^;]*)/.exec(login.headers['set-cookie'] ?? '')?.[1] ?? '';
  return { cookie, csrf: String(login.body.data.csrf_token) };
}

test('after a log-out the session is refused, and the cookie is gone', async () => {
  const sent = await session();
  const logout = await call('account/logout', {}, sent);
  assert.deepEqual(logout.body.data, { ended: true });
  assert.match(logout.headers['set-cookie'] ?? '', /^__Host-hostkeep_session=; Path=\/; Max-Age=0; HttpOnly/);
  const create = { name: 'after the end', scopes: ['*'] };
  await refused('token_revoked', 'account/token-create', create, sent);
  await openRequests(fixture).refused('token_revoked', 'account/session', {}, { cookie: sent.cookie });
});

test('another site cannot log anybody out', async () => {
  const { cookie } = await session();
  await refused('csrf_token_invalid', 'account/logout', {}, { cookie });
  await data('account/session', {}, { cookie });
});

test('a log-out without a session, with an ended one, or with an API token ends nothing and succeeds', async () => {
  assert.deepEqual(await data('account/logout'), { ended: false });
  const sent = await session();
  await data('account/logout', {}, sent);
  assert.deepEqual(await openRequests(fixture).data('account/logout', {}, sent), { ended: false });
  const { secret } = await fixture.customer(0n);
  assert.deepEqual(await data('account/logout', {}, { token: secret }), { ended: false });
  await data('account/session', {}, { token: secret });
});
