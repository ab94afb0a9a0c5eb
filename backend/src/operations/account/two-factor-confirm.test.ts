import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authenticator } from '../../../test/authenticator.ts';
import { openFixture } from '../../../test/fixture.ts';
import { mailsOf } from '../../../test/mailed.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data, refused } = requests;
const { owner, logIn, secondFactor, later, apiToken } = openPeople(fixture, requests);
const setup = { password: PASSWORD };

test('nothing asks for a code until one has confirmed that an app has the secret', async () => {
  const ada = await owner();
  const { secret, otpauth_url } = await data('account/two-factor-setup', setup, ada.sent);
  assert.ok(otpauth_url.includes(secret) && otpauth_url.includes(encodeURIComponent(ada.email)));
  const before = await logIn(ada);
  assert.deepEqual((await data('account/session', {}, before)).two_factor, { enabled: false, methods: [] });
  const { recovery_codes } = await data(
    'account/two-factor-confirm',
    { code: authenticator(secret, fixture.clock).code() },
    ada.sent,
  );
  assert.equal(new Set(recovery_codes).size, 10);
  for (const code of recovery_codes) assert.match(code, /^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/);
  const { two_factor } = await data('account/session', {}, ada.sent);
  assert.deepEqual(two_factor, { enabled: true, methods: ['totp'] });
  assert.ok((await mailsOf(fixture, ada.email)).includes('account.two-factor-changed'));
});

test('the secret and the recovery codes are nowhere in clear, and no code is audited', async () => {
  const ada = await owner();
  const { secret, recoveryCodes } = await secondFactor(ada);
  const { rows } = await fixture.pool.pg.query(
    `SELECT (SELECT encode(totp_sealed, 'escape') FROM users WHERE email = $1) AS sealed,
       (SELECT string_agg(input::text, ' ') FROM audit WHERE operation LIKE 'account/two-factor-%') AS audited,
       (SELECT string_agg(encode(hash, 'escape'), ' ') FROM recovery_codes) AS hashes,
       (SELECT string_agg(body::text, ' ') FROM events) AS events`,
    [ada.email],
  );
  const kept = JSON.stringify(rows);
  for (const text of [
    secret,
    PASSWORD,
    ...recoveryCodes,
    ...recoveryCodes.map((code) => code.replaceAll('-', '')),
  ])
    assert.ok(!kept.includes(text));
  assert.match(rows[0].audited, /"code": ?"\[secret\]"/);
});

test('the other sessions end when it is switched on; this one and API tokens stay', async () => {
  const ada = await owner();
  const elsewhere = await logIn(ada);
  const api = await apiToken(ada);
  await secondFactor(ada);
  const fresh = openRequests(fixture);
  await fresh.refused('token_revoked', 'account/session', {}, elsewhere);
  await fresh.data('account/session', {}, ada.sent);
  await fresh.data('account/session', {}, { token: api });
});

test('the password is asked for, and counted', async () => {
  const ada = await owner();
  await refused('password_invalid', 'account/two-factor-setup', {}, ada.sent);
  for (let guess = 0; guess < 20; guess += 1) {
    await refused('password_invalid', 'account/two-factor-setup', { password: 'wrong' }, ada.sent);
  }
  await refused('rate_limited', 'account/two-factor-setup', setup, ada.sent);
});

test('who has no password is not asked for one', async () => {
  const { secret: token } = await fixture.customer(0n);
  await data('account/two-factor-setup', {}, { token });
  await refused('password_invalid', 'account/two-factor-setup', { password: 'guess' }, { token });
});

test('a wrong code confirms nothing, and a secret that was replaced is none', async () => {
  const ada = await owner();
  await refused('state_conflict', 'account/two-factor-confirm', { code: '123456' }, ada.sent);
  const first = authenticator(
    (await data('account/two-factor-setup', setup, ada.sent)).secret,
    fixture.clock,
  );
  const second = authenticator(
    (await data('account/two-factor-setup', setup, ada.sent)).secret,
    fixture.clock,
  );
  for (const code of [first.code(), second.code(5), '１２３４５６', 'abcdef']) {
    await refused('two_factor_invalid', 'account/two-factor-confirm', { code }, ada.sent);
  }
  await data('account/two-factor-confirm', { code: second.code() }, ada.sent);
  await refused('state_conflict', 'account/two-factor-confirm', { code: second.code(1) }, ada.sent);
  await refused('state_conflict', 'account/two-factor-setup', setup, ada.sent);
});

test('two confirmations at once: one is done', async () => {
  const ada = await owner();
  const { secret } = await data('account/two-factor-setup', setup, ada.sent);
  const code = authenticator(secret, fixture.clock).code();
  const answers = await Promise.all([1, 2].map(() => call('account/two-factor-confirm', { code }, ada.sent)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test('guesses at the code are counted before they are checked', async () => {
  const ada = await owner();
  const { secret } = await data('account/two-factor-setup', setup, ada.sent);
  later();
  for (let guess = 0; guess < 10; guess += 1) {
    await refused('two_factor_invalid', 'account/two-factor-confirm', { code: '000000' }, ada.sent);
  }
  const code = authenticator(secret, fixture.clock).code();
  await refused('rate_limited', 'account/two-factor-confirm', { code }, ada.sent);
});
