import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { mailedToken, mailsOf } from '../../../test/mailed.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data, refused } = requests;
const { owner, member, logIn, secondFactor, later, apiToken } = openPeople(fixture, requests);
const NEW = 'incorrect zebra dynamo clip';
const change = { current_password: PASSWORD, new_password: NEW };

test('the new password is good, the old one is not; other sessions and reset links end, API tokens stay', async () => {
  const ada = await owner();
  const [elsewhere, api] = [await logIn(ada), await apiToken(ada)];
  await data('account/password-reset', { email: ada.email });
  const token = await mailedToken(fixture, 'account.password-reset', ada.email);
  await data('account/password-change', change, ada.sent);
  const fresh = openRequests(fixture);
  await fresh.data('account/session', {}, ada.sent);
  await fresh.data('account/session', {}, { token: api });
  await fresh.refused('token_revoked', 'account/session', {}, elsewhere);
  await refused('link_invalid', 'account/password-reset-confirm', { token, new_password: PASSWORD });
  await refused('credentials_invalid', 'account/login', ada.sent && { email: ada.email, password: PASSWORD });
  await logIn({ email: ada.email, password: NEW });
  assert.ok((await mailsOf(fixture, ada.email)).includes('account.password-changed'));
});

test('API tokens end with it where that is wanted, at a change as by a link, and nobody else’s do', async () => {
  const ada = await owner();
  const admin = await member(ada, 'admin');
  const [api, others] = [await apiToken(ada), await apiToken(admin)];
  await data('account/email-verify', {
    token: await mailedToken(fixture, 'account.email-verification', ada.email),
  });
  await data('account/password-change', { ...change, end_api_tokens: true }, ada.sent);
  const fresh = openRequests(fixture);
  await fresh.refused('token_revoked', 'account/session', {}, { token: api });
  await fresh.data('account/session', {}, { token: others });
  const another = await apiToken({ ...ada, password: NEW });
  await data('account/password-reset', { email: ada.email });
  const token = await mailedToken(fixture, 'account.password-reset', ada.email);
  const confirmed = { token, new_password: PASSWORD, end_api_tokens: true };
  await data('account/password-reset-confirm', confirmed);
  await fresh.refused('token_revoked', 'account/session', {}, { token: another });
  await fresh.data('account/session', {}, { token: others });
});

test('it takes the present password, a fit new one, and a code where that is asked for', async () => {
  const ada = await owner();
  const path = 'account/password-change';
  await refused('password_invalid', path, { ...change, current_password: 'wrong' }, ada.sent);
  await refused('validation_failed', path, { ...change, new_password: 'abababababab' }, ada.sent);
  await refused('validation_failed', path, { ...change, new_password: `x${ada.email}` }, ada.sent);
  const { app } = await secondFactor(ada);
  later();
  await refused('two_factor_required', path, change, ada.sent);
  await refused('two_factor_invalid', path, { ...change, code: '000000' }, ada.sent);
  await data(path, { ...change, code: app.code() }, ada.sent);
});

test('everybody can change their own, whatever their role', async () => {
  const reader = await member(await owner(), 'readonly');
  await data('account/password-change', change, reader.sent);
  await refused('scope_missing', 'account/token-create', { name: 'x', scopes: ['*'] }, reader.sent);
});

test('two changes at once: one is done', async () => {
  const ada = await owner();
  const answers = await Promise.all(
    [1, 2].map((one) =>
      call('account/password-change', { ...change, new_password: `${NEW} ${one}` }, ada.sent),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403]);
});

test('the same key changes it once, although the password is another afterwards', async () => {
  const ada = await owner();
  const first = await data('account/password-change', change, { ...ada.sent, key: 'once' });
  assert.deepEqual(await data('account/password-change', change, { ...ada.sent, key: 'once' }), first);
});
