// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LICENSE, openFixture } from '../../../test/fixture.ts';
import { mailedLinks, mailedToken } from '../../../test/mailed.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data, refused } = requests;
const { owner, member, logIn, secondFactor, apiToken } = openPeople(fixture, requests);
const TEMPLATE = 'account.invitation';

let guests = 0;
const guest = () => {
  guests += 1;
  return `guest-${guests}@example.com`;
};
const accept = (token: string, more: object = {}) =>
  call('account/user-accept', {
    token,
    first_name: 'Grace',
    last_name: 'Hopper',
    password: PASSWORD,
    ...more,
  });
const events = async (accountId: string) =>
  (
    await fixture.pool.pg.query(
      "SELECT type FROM events WHERE account_id = $1 AND type LIKE 'account.user%' ORDER BY sequence",
      [accountId],
    )
  ).rows.map((row) => row.type);

test('an invitation is listed until it is accepted; then the person is, with the address proved', async () => {
  const ada = await owner();
  const email = guest();
  const invited = await data('account/user-invite', { email, role: 'technical' }, ada.sent);
  const before = await data('account/users', {}, ada.sent);
  assert.deepEqual(before.invitations, [invited]);
  assert.deepEqual(
    before.users.map((user: { you: boolean }) => user.you),
    [true],
  );
  const token = await mailedToken(fixture, TEMPLATE, email);
  const [link] = await mailedLinks(fixture, TEMPLATE, email);
  assert.equal(link, `https://hostkeep.example/accept-invitation#${token}`);
  const joined = (await accept(token)).body.data;
  assert.deepEqual([joined.email, joined.role], [email, 'technical']);
  const { users, invitations } = await data('account/users', {}, ada.sent);
  assert.deepEqual(invitations, []);
  const { created_at, ...grace } = users[1];
  assert.deepEqual(grace, {
    uuid: joined.uuid,
    email,
    email_verified: true,
    first_name: 'Grace',
    last_name: 'Hopper',
    role: 'technical',
    state: 'active',
    two_factor: false,
    you: false,
  });
  const { account } = await data('account/session', {}, await logIn({ email, password: PASSWORD }));
  assert.deepEqual([account.uuid, account.role], [ada.accountId, 'technical']);
  assert.deepEqual(await events(ada.accountId), ['account.user_invited', 'account.user_joined']);
});

test('of many who accept one invitation at the same moment, one joins', async () => {
  const ada = await owner();
  const email = guest();
  await data('account/user-invite', { email, role: 'billing' }, ada.sent);
  const token = await mailedToken(fixture, TEMPLATE, email);
  const answers = await Promise.all(Array.from({ length: 5 }, () => accept(token)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410, 410, 410]);
  assert.equal((await data('account/users', {}, ada.sent)).users.length, 2);
});

test('an invitation is over when it is taken back, replaced, too old, or its role is no longer the sender’s to give', async () => {
  const ada = await owner();
  const email = guest();
  const invite = async (by = ada) => {
    const { uuid } = await data('account/user-invite', { email, role: 'admin', password: PASSWORD }, by.sent);
    return { uuid, token: await mailedToken(fixture, TEMPLATE, email) };
  };
  const first = await invite();
  const second = await invite();
  assert.equal((await accept(first.token)).body.error, 'link_invalid');
  await refused('not_found', 'account/invitation-revoke', { uuid: second.uuid }, (await owner()).sent);
  await data('account/invitation-revoke', { uuid: second.uuid }, ada.sent);
  await refused('not_found', 'account/invitation-revoke', { uuid: second.uuid }, ada.sent);
  assert.equal((await accept(second.token)).body.error, 'link_invalid');
  const third = await invite();
  fixture.clock.set(fixture.clock.now().add({ hours: 7 * 24 }));
  assert.equal((await accept(third.token)).body.error, 'link_invalid');
  const grown = { ...ada, sent: await logIn(ada) };
  const admin = await member(grown, 'admin');
  const fourth = await invite({ ...grown, ...admin });
  await data('account/user-update', { uuid: admin.userId, role: 'readonly' }, grown.sent);
  assert.equal((await accept(fourth.token)).body.error, 'link_invalid');
});

test('whether an invited address is known elsewhere is told to its mailbox alone', async () => {
  const [ada, grace] = [await owner(), await owner()];
  const [known, unknown] = [grace.email, guest()];
  const answers = [];
  for (const email of [known, unknown]) {
    const { status, body } = await call('account/user-invite', { email, role: 'readonly' }, ada.sent);
    answers.push({ status, response: body.response, members: Object.keys(body.data) });
  }
  assert.deepEqual(answers[0], answers[1]);
  assert.equal((await accept(await mailedToken(fixture, TEMPLATE, known))).body.error, 'already_exists');
  await refused('already_exists', 'account/user-invite', { email: ada.email, role: 'billing' }, ada.sent);
});

test('only owners and administrators look after people', async () => {
  const ada = await owner();
  const target = await member(ada, 'readonly');
  for (const role of ['billing', 'technical', 'readonly']) {
    const { sent } = await member(ada, role);
    await refused('scope_missing', 'account/users', {}, sent);
    await refused('scope_missing', 'account/user-invite', { email: guest(), role: 'readonly' }, sent);
    await refused('scope_missing', 'account/user-update', { uuid: target.userId, role: 'admin' }, sent);
    await refused('scope_missing', 'account/user-remove', { uuid: target.userId }, sent);
    await refused('scope_missing', 'account/invitation-revoke', { uuid: target.userId }, sent);
  }
  const { sent } = await member(ada, 'admin');
  await data('account/user-update', { uuid: target.userId, role: 'technical' }, sent);
});

test('the owner is changed by nobody, nobody changes themselves, and nobody makes an owner', async () => {
  const ada = await owner();
  const admin = await member(ada, 'admin');
  const [self] = (await data('account/users', {}, ada.sent)).users;
  for (const [by, uuid] of [
    [admin, self.uuid],
    [ada, self.uuid],
    [admin, admin.userId],
  ] as const) {
    await refused('person_protected', 'account/user-update', { uuid, role: 'readonly' }, by.sent);
    await refused('person_protected', 'account/user-update', { uuid, state: 'disabled' }, by.sent);
    await refused('person_protected', 'account/user-remove', { uuid }, by.sent);
  }
  const other = await member(ada, 'readonly');
  for (const role of ['owner', 'staff']) {
    await refused('validation_failed', 'account/user-update', { uuid: other.userId, role }, admin.sent);
    await refused('validation_failed', 'account/user-invite', { email: guest(), role }, admin.sent);
  }
});

test('a token gives no role that may do more than itself', async () => {
  const ada = await owner();
  const token = await apiToken(ada, ['account:users', 'account:read']);
  const target = await member(ada, 'readonly');
  await refused('scope_missing', 'account/user-invite', { email: guest(), role: 'admin' }, { token });
  await refused('scope_missing', 'account/user-update', { uuid: target.userId, role: 'admin' }, { token });
});

test('another account’s people are not there', async () => {
  const [ada, other] = [await owner(), await owner()];
  const { userId: uuid } = await member(ada, 'readonly');
  await refused('not_found', 'account/user-update', { uuid, role: 'admin' }, other.sent);
  await refused('not_found', 'account/user-remove', { uuid }, other.sent);
});

test('a lower role holds at once: sessions and tokens beyond it end, the others stay', async () => {
  const ada = await owner();
  const grace = await member(ada, 'admin');
  const [wide, narrow] = [await apiToken(grace), await apiToken(grace, ['panel:read', 'server:*'])];
  const reading = await apiToken(grace, ['panel:read']);
  await data('account/user-update', { uuid: grace.userId, role: 'readonly' }, ada.sent);
  const fresh = openRequests(fixture);
  await fresh.refused('token_revoked', 'account/session', {}, grace.sent);
  await fresh.refused('token_revoked', 'account/session', {}, { token: wide });
  await fresh.refused('token_revoked', 'panel/list', {}, { token: narrow });
  await fresh.data('panel/list', {}, { token: reading });
  const sent = await logIn(grace);
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  await refused('scope_missing', 'panel/order', order, sent);
});

test('a disabled person is out until they are active again; then their API tokens are good', async () => {
  const ada = await owner();
  const grace = await member(ada, 'technical');
  const token = await apiToken({ ...grace, sent: grace.sent }, ['panel:read']).catch(() => null);
  assert.equal(token, null, 'a technical person makes no tokens');
  const admin = await member(ada, 'admin');
  const api = await apiToken(admin);
  await data('account/user-update', { uuid: admin.userId, state: 'disabled' }, ada.sent);
  await refused('credentials_invalid', 'account/login', { email: admin.email, password: PASSWORD });
  await openRequests(fixture).refused('token_revoked', 'account/session', {}, { token: api });
  const again = { uuid: admin.userId, state: 'active', password: PASSWORD };
  await data('account/user-update', again, ada.sent);
  const fresh = openRequests(fixture);
  await fresh.data('account/session', {}, { token: api });
  await fresh.refused('token_revoked', 'account/session', {}, admin.sent);
});

test('a removed person is out at once, also where the token was seen a moment ago, and the address is free', async () => {
  const ada = await owner();
  const grace = await member(ada, 'admin');
  const api = await apiToken(grace);
  await secondFactor(grace);
  await data('account/session', {}, { token: api });
  await data('account/user-remove', { uuid: grace.userId }, ada.sent);
  await refused('token_revoked', 'account/token-create', { name: 'x', scopes: ['*'] }, { token: api });
  await openRequests(fixture).refused('token_revoked', 'account/session', {}, { token: api });
  await refused('not_found', 'account/user-update', { uuid: grace.userId, state: 'active' }, ada.sent);
  await refused('not_found', 'account/user-remove', { uuid: grace.userId }, ada.sent);
  assert.equal((await data('account/users', {}, ada.sent)).users.length, 1);
  const { rows } = await fixture.pool.pg.query(
    `SELECT email, first_name, state, password_hash, totp_sealed,
       (SELECT count(*) FROM tokens t WHERE t.user_id = u.id AND revoked_at IS NULL) AS tokens,
       (SELECT count(*) FROM recovery_codes WHERE user_id = u.id) AS codes
     FROM users u WHERE id = $1`,
    [grace.userId],
  );
  assert.deepEqual(rows[0], {
    email: `${grace.userId}@removed.invalid`,
    first_name: 'Grace',
    state: 'disabled',
    password_hash: null,
    totp_sealed: null,
    tokens: 0n,
    codes: 0n,
  });
  await data('account/user-invite', { email: grace.email, role: 'readonly' }, ada.sent);
  assert.equal((await accept(await mailedToken(fixture, TEMPLATE, grace.email))).status, 200);
});

test('invitations are limited for each account', async () => {
  const ada = await owner();
  for (let times = 0; times < 50; times += 1) {
    await data('account/user-invite', { email: guest(), role: 'readonly' }, ada.sent);
  }
  await refused('rate_limited', 'account/user-invite', { email: guest(), role: 'readonly' }, ada.sent);
});
