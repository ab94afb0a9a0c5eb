// Slow: 3 s

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { authenticator } from '../../../test/authenticator.ts';
import { openFixture } from '../../../test/fixture.ts';
import { mailedToken } from '../../../test/mailed.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';
import { hashPassword } from '../../business/core/access/password.ts';
import { createStaff } from '../../business/core/accounts/customer.ts';
import { transaction } from '../../db/transaction.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data, refused } = requests;
const { logIn, secondFactor, later } = openPeople(fixture, requests);
const passwordHash = await hashPassword(PASSWORD);

/** An operator, logged in. */
async function operator() {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const person = { email, passwordHash, firstName: 'Olga', lastName: 'O', locale: 'en' as const };
  const created = await transaction(fixture.pool, (tx) =>
    createStaff(tx, { ...person, timezone: 'UTC', staffRole: 'admin' }, fixture.clock.now()),
  );
  assert.ok(created.kind === 'created');
  const credentials = { email, password: PASSWORD };
  return { ...credentials, userId: created.userId, sent: await logIn(credentials) };
}

test('an operator has a second factor, which their next log-in asks for', async () => {
  const olga = await operator();
  const { app, recoveryCodes } = await secondFactor(olga);
  later();
  const credentials = { email: olga.email, password: PASSWORD };
  await refused('two_factor_required', 'account/login', credentials);
  await refused('two_factor_invalid', 'account/login', { ...credentials, code: '000000' });
  const sent = await logIn(olga, app.code());
  assert.equal((await data('account/session', {}, sent)).two_factor.enabled, true);
  later();
  const made = await data('account/recovery-codes', { code: app.code() }, sent);
  await refused('two_factor_invalid', 'account/login', { ...credentials, code: recoveryCodes[0] });
  later();
  const code = made.recovery_codes[0];
  await data('account/two-factor-disable', { password: PASSWORD, code }, sent);
  await logIn(olga);
});

test('an operator changes their password; their other sessions end and they are told by mail', async () => {
  const olga = await operator();
  const elsewhere = await logIn(olga);
  const input = { current_password: PASSWORD, new_password: 'incorrect zebra dynamo clip' };
  await data('account/password-change', input, olga.sent);
  await openRequests(fixture).refused('token_revoked', 'account/session', {}, elsewhere);
  await data('account/session', {}, olga.sent);
  await refused('credentials_invalid', 'account/login', { email: olga.email, password: PASSWORD });
  const { rows } = await fixture.pool.pg.query('SELECT template FROM mails WHERE user_id = $1', [
    olga.userId,
  ]);
  assert.deepEqual(rows, [{ template: 'account.password-changed' }]);
});

test('an operator changes their address, and sets a password by a mailed link', async () => {
  const olga = await operator();
  const email = `new-${olga.email}`;
  await data('account/email-change', { email, password: PASSWORD }, olga.sent);
  const proof = await mailedToken(fixture, 'account.email-verification', email);
  assert.equal((await data('account/email-verify', { token: proof })).changed, true);
  await data('account/password-reset', { email });
  const token = await mailedToken(fixture, 'account.password-reset', email);
  const password = 'incorrect zebra dynamo clip';
  await data('account/password-reset-confirm', { token, new_password: password });
  await logIn({ email, password });
});

test('a key takes effect once for an operator as for a customer, and what they did is audited under them', async () => {
  const olga = await operator();
  const { secret } = await data('account/two-factor-setup', { password: PASSWORD }, olga.sent);
  const input = { code: authenticator(secret, fixture.clock).code() };
  const sent = { ...olga.sent, key: 'once' };
  const [first, second] = [
    await call('account/two-factor-confirm', input, sent),
    await call('account/two-factor-confirm', input, sent),
  ];
  assert.equal(first.status, 200, first.text);
  assert.equal(second.text, first.text);
  const { rows } = await fixture.pool.pg.query(
    "SELECT account_id, user_id FROM audit WHERE operation = 'account/two-factor-confirm' AND user_id = $1",
    [olga.userId],
  );
  assert.deepEqual(rows, [{ account_id: null, user_id: olga.userId }]);
});

test('of two codes at once one is right, without an account to wait at', async () => {
  const olga = await operator();
  const { app } = await secondFactor(olga);
  later();
  const code = app.code();
  const log = () => call('account/recovery-codes', { code }, olga.sent);
  const answers = await Promise.all([log(), log()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403]);
});
