// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { mailsOf } from '../../../test/mailed.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data, refused } = requests;
const { owner, logIn, secondFactor, later, apiToken } = openPeople(fixture, requests);

test('it takes the password and a code; then a log-in takes neither code nor recovery code', async () => {
  const ada = await owner();
  const api = await apiToken(ada);
  const { app, recoveryCodes } = await secondFactor(ada);
  later();
  const elsewhere = await logIn(ada, app.code());
  const path = 'account/two-factor-disable';
  await refused('password_invalid', path, { password: 'wrong', code: app.code(1) }, ada.sent);
  await refused('two_factor_invalid', path, { password: PASSWORD, code: '000000' }, ada.sent);
  assert.deepEqual(await data(path, { password: PASSWORD, code: app.code(1) }, ada.sent), { enabled: false });
  await refused('state_conflict', path, { password: PASSWORD, code: recoveryCodes[0] }, ada.sent);
  const fresh = openRequests(fixture);
  await fresh.refused('token_revoked', 'account/session', {}, elsewhere);
  await fresh.data('account/session', {}, { token: api });
  assert.deepEqual((await fresh.data('account/session', {}, ada.sent)).two_factor.enabled, false);
  await logIn(ada);
  const { rows } = await fixture.pool.pg.query('SELECT FROM recovery_codes');
  assert.equal(rows.length, 0);
  const changes = (await mailsOf(fixture, ada.email)).filter((mail) => mail === 'account.two-factor-changed');
  assert.equal(changes.length, 2);
});

test('a refused request uses no code up', async () => {
  const ada = await owner();
  const { app } = await secondFactor(ada);
  later();
  const code = app.code();
  await refused('password_invalid', 'account/two-factor-disable', { password: 'wrong', code }, ada.sent);
  await data('account/two-factor-disable', { password: PASSWORD, code }, ada.sent);
});

test('new recovery codes end the old ones, and take a code themselves', async () => {
  const ada = await owner();
  const { app, recoveryCodes } = await secondFactor(ada);
  await refused('two_factor_invalid', 'account/recovery-codes', { code: app.code() }, ada.sent);
  const fresh = await data('account/recovery-codes', { code: recoveryCodes[0] }, ada.sent);
  assert.equal(fresh.recovery_codes.length, 10);
  await refused('two_factor_invalid', 'account/recovery-codes', { code: recoveryCodes[1] }, ada.sent);
  await data('account/recovery-codes', { code: fresh.recovery_codes[3] }, ada.sent);
  await refused('state_conflict', 'account/recovery-codes', { code: '123456' }, (await owner()).sent);
});

test('a recovery code is good once, of many that use it at the same moment for one', async () => {
  const ada = await owner();
  const { recoveryCodes } = await secondFactor(ada);
  const [code] = recoveryCodes;
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      call('account/login', { email: ada.email, password: PASSWORD, code }, { ip: `203.0.113.${index}` }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403, 403, 403, 403, 403]);
  assert.ok(answers.every(({ status, body }) => status === 200 || body.error === 'two_factor_invalid'));
});

test("another person's recovery code is none", async () => {
  const [ada, grace] = [await owner(), await owner()];
  await secondFactor(ada);
  const { recoveryCodes } = await secondFactor(grace);
  const login = { email: ada.email, password: PASSWORD, code: recoveryCodes[0] };
  await refused('two_factor_invalid', 'account/login', login);
});

test('a recovery code is good however it is written', async () => {
  const ada = await owner();
  const { recoveryCodes } = await secondFactor(ada);
  const [first = '', second = ''] = recoveryCodes;
  await logIn(ada, first.toUpperCase().replaceAll('-', ' '));
  await logIn(ada, second.replaceAll('-', '').replaceAll('0', 'O').replaceAll('1', 'l'));
});
