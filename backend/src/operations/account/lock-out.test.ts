import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { mailedToken } from '../../../test/mailed.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests, type Sent } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call } = requests;
const people = openPeople(fixture, requests);

const logIn = (email: string, sent: Sent, password = PASSWORD) =>
  call('account/login', { email, password }, sent);

/** What the browser keeps of an answer. */
function deviceOf({ headers }: Awaited<ReturnType<typeof call>>): Sent {
  const value = /^__Host-hostkeep_device=([^;]+)/m.exec(headers['set-cookie'] ?? '')?.[1];
  assert.ok(value, 'no device was named');
  return { headers: { cookie: `__Host-hostkeep_device=${value}` } };
}

/** Wrong guesses from as many places, until nobody gets in from where they were not before. */
async function lockedOut(email: string) {
  for (let at = 0; at < 60; at += 1) await logIn(email, { ip: `10.1.0.${at}` }, 'a wrong guess');
  assert.equal((await logIn(email, { ip: '10.2.0.1' })).body.error, 'rate_limited');
}

test('all lines of one site together do not lock a person out elsewhere', async () => {
  const { email } = await people.owner();
  const answers = [];
  for (let line = 0; line < 60; line += 1) {
    const ip = `2001:db8:aaaa:${line.toString(16)}::1`;
    answers.push((await logIn(email, { ip }, 'a wrong guess')).body.error);
  }
  assert.equal(answers.filter((error) => error === 'credentials_invalid').length, 20);
  assert.equal((await logIn(email, { ip: '2001:db8:bbbb::1' })).status, 200);
});

test('nor do their guesses at the code, all day', async () => {
  const ada = await people.owner();
  const { app } = await people.secondFactor(ada);
  people.later();
  const guess = async (code: string, ip: string) =>
    (await call('account/login', { email: ada.email, password: PASSWORD, code }, { ip })).body.error;
  for (let hour = 0; hour < 8; hour += 1) {
    for (let line = 0; line < 10; line += 1)
      await guess('000000', `2001:db8:aaaa:${(hour * 10 + line).toString(16)}::1`);
    fixture.clock.set(fixture.clock.now().add({ minutes: 15 }));
  }
  assert.equal(await guess('000000', '2001:db8:aaaa:ff::1'), 'rate_limited');
  assert.equal(await guess(app.code(), '2001:db8:bbbb::1'), undefined);
});

test('a device that was in before gets in while the person is locked out elsewhere', async () => {
  const { email } = await people.owner();
  const device = deviceOf(await logIn(email, { ip: '192.0.2.10' }));
  await lockedOut(email);
  const again = await logIn(email, { ...device, ip: '198.51.100.20' });
  assert.equal(again.status, 200, again.text);
  // Neither a cookie that somebody made up, nor one of another person, nor a year-old one.
  const bob = await people.owner();
  const made = Buffer.alloc(16).toString('base64url');
  const day = Math.floor(fixture.clock.now().epochMilliseconds / 86_400_000);
  const invented = `__Host-hostkeep_device=${day}.${'a'.repeat(16)}.${made}`;
  for (const sent of [
    { headers: { cookie: invented } },
    deviceOf(await logIn(bob.email, { ip: '192.0.2.11' })),
  ])
    assert.equal((await logIn(email, { ...sent, ip: '198.51.100.21' })).body.error, 'rate_limited');
});

test('its own guesses are counted, and concern nobody else', async () => {
  const { email } = await people.owner();
  const device = deviceOf(await logIn(email, { ip: '192.0.2.12' }));
  const errors = [];
  for (let at = 0; at < 11; at += 1)
    errors.push((await logIn(email, { ...device, ip: `10.3.0.${at}` }, 'a wrong guess')).body.error);
  assert.deepEqual(errors, [...Array(10).fill('credentials_invalid'), 'rate_limited']);
  assert.equal((await logIn(email, { ip: '192.0.2.13' })).status, 200);
});

test('a year later it is known no more', async () => {
  const { email } = await people.owner();
  const device = deviceOf(await logIn(email, { ip: '192.0.2.14' }));
  fixture.clock.set(fixture.clock.now().add({ hours: 24 * 366 }));
  await lockedOut(email);
  assert.equal((await logIn(email, { ...device, ip: '192.0.2.14' })).body.error, 'rate_limited');
});

test('several people of one browser are known by it', async () => {
  const [ada, bob] = [await people.owner(), await people.owner()];
  const first = deviceOf(await logIn(ada.email, { ip: '192.0.2.15' }));
  const both = deviceOf(await logIn(bob.email, { ...first, ip: '192.0.2.15' }));
  for (const { email } of [ada, bob]) {
    await lockedOut(email);
    assert.equal((await logIn(email, { ...both, ip: '192.0.2.15' })).status, 200);
  }
});

test('who is locked out everywhere gets in by a mailed link, whoever asked for it', async () => {
  const { email } = await people.owner();
  await lockedOut(email);
  for (let at = 0; at < 60; at += 1) await call('account/password-reset', { email }, { ip: `10.4.0.${at}` });
  const token = await mailedToken(fixture, 'account.password-reset', email);
  const password = 'incorrect zebra dynamo clip';
  const set = await call('account/password-reset-confirm', { token, new_password: password });
  assert.equal(set.status, 200, set.text);
  assert.equal((await logIn(email, { ip: '192.0.2.16' }, password)).body.error, 'rate_limited');
  const { account } = (await logIn(email, { ...deviceOf(set), ip: '192.0.2.16' }, password)).body.data;
  assert.equal(account.email, email);
});
