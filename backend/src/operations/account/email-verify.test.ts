import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { mailedLinks, mailedToken, mailsOf } from '../../../test/mailed.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data, refused } = requests;
const { owner, logIn, secondFactor, later } = openPeople(fixture, requests);
const TEMPLATE = 'account.email-verification';

const accountOf = async (person: Awaited<ReturnType<typeof owner>>) =>
  (await data('account/session', {}, person.sent)).account;

let wanted = 0;
const another = () => {
  wanted += 1;
  return `new-${wanted}@example.org`;
};

test('who registers gets a link that proves the address, once', async () => {
  const ada = await owner();
  const token = await mailedToken(fixture, TEMPLATE, ada.email);
  assert.deepEqual(await mailedLinks(fixture, TEMPLATE, ada.email), [
    `https://hostkeep.example/verify-email#${token}`,
  ]);
  assert.equal((await accountOf(ada)).email_verified, false);
  assert.deepEqual(await data('account/email-verify', { token }), { email: ada.email, changed: false });
  assert.equal((await accountOf(ada)).email_verified, true);
  await refused('link_invalid', 'account/email-verify', { token });
  await refused('state_conflict', 'account/email-verification-resend', {}, ada.sent);
});

test('a link that is sent again replaces the one before; sending is limited', async () => {
  const ada = await owner();
  const first = await mailedToken(fixture, TEMPLATE, ada.email);
  await data('account/email-verification-resend', {}, ada.sent);
  await refused('link_invalid', 'account/email-verify', { token: first });
  for (let times = 0; times < 4; times += 1) await data('account/email-verification-resend', {}, ada.sent);
  await refused('rate_limited', 'account/email-verification-resend', {}, ada.sent);
  await data('account/email-verify', { token: await mailedToken(fixture, TEMPLATE, ada.email) });
});

test('an address changes when its own mailbox has confirmed it, and the old one is told', async () => {
  const ada = await owner();
  const email = another();
  await data('account/email-change', { email: email.toUpperCase(), password: PASSWORD }, ada.sent);
  assert.equal((await accountOf(ada)).email, ada.email);
  await data('account/password-reset', { email: ada.email });
  const reset = await mailedToken(fixture, 'account.password-reset', ada.email);
  const token = await mailedToken(fixture, TEMPLATE, email);
  assert.deepEqual(await data('account/email-verify', { token }), { email, changed: true });
  const account = await accountOf(ada);
  assert.deepEqual([account.email, account.email_verified], [email, true]);
  assert.ok((await mailsOf(fixture, ada.email)).includes('account.email-changed'));
  await refused('link_invalid', 'account/password-reset-confirm', {
    token: reset,
    new_password: `${PASSWORD}!`,
  });
  await logIn({ email, password: PASSWORD });
  await refused('credentials_invalid', 'account/login', { email: ada.email, password: PASSWORD });
});

test('the link that was mailed at registration does not bring the old address back', async () => {
  const ada = await owner();
  const first = await mailedToken(fixture, TEMPLATE, ada.email);
  const email = another();
  await data('account/email-change', { email, password: PASSWORD }, ada.sent);
  await data('account/email-verify', { token: await mailedToken(fixture, TEMPLATE, email) });
  await refused('link_invalid', 'account/email-verify', { token: first });
  assert.equal((await accountOf(ada)).email, email);
});

test('sending again means the address that is wanted, while there is one', async () => {
  const ada = await owner();
  const email = another();
  await data('account/email-change', { email, password: PASSWORD }, ada.sent);
  assert.deepEqual(await data('account/email-verification-resend', {}, ada.sent), { email });
});

test('a change takes the password, a code where that is asked for, and another address', async () => {
  const ada = await owner();
  const path = 'account/email-change';
  const change = { email: another(), password: PASSWORD };
  await refused('password_invalid', path, { ...change, password: 'wrong' }, ada.sent);
  await refused('validation_failed', path, { ...change, email: ada.email }, ada.sent);
  const { app } = await secondFactor(ada);
  later();
  await refused('two_factor_required', path, change, ada.sent);
  await refused('two_factor_invalid', path, { ...change, code: '000000' }, ada.sent);
  await data(path, { ...change, code: app.code() }, ada.sent);
});

test("an address of somebody else's: only its mailbox is told", async () => {
  const [ada, grace] = [await owner(), await owner()];
  const change = { email: grace.email, password: PASSWORD };
  assert.deepEqual(await data('account/email-change', change, ada.sent), { email: grace.email });
  const token = await mailedToken(fixture, TEMPLATE, grace.email);
  await refused('already_exists', 'account/email-verify', { token });
  assert.equal((await accountOf(ada)).email, ada.email);
});

test('two who want one address: the first to confirm has it', async () => {
  const people = [await owner(), await owner()];
  const email = another();
  for (const person of people) await data('account/email-change', { email, password: PASSWORD }, person.sent);
  const tokens = (await mailedLinks(fixture, TEMPLATE, email)).map((link) => link.split('#')[1]);
  const answers = await Promise.all(tokens.map((token) => call('account/email-verify', { token })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test('a link ends after three days', async () => {
  const ada = await owner();
  fixture.clock.set(fixture.clock.now().add({ hours: 72 }));
  await refused('link_invalid', 'account/email-verify', {
    token: await mailedToken(fixture, TEMPLATE, ada.email),
  });
});
