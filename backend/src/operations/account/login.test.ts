// Slow: 10 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openPeople } from '../../../test/people.ts';
import { openRequests, type Received } from '../../../test/requests.ts';
import { hashPassword } from '../../business/core/access/password.ts';
import { createStaff } from '../../business/core/accounts/customer.ts';
import { transaction } from '../../db/transaction.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data, refused } = requests;
const { owner, secondFactor, later } = openPeople(fixture, requests);
const PASSWORD = 'correct horse battery staple';

let people = 0;
async function registered(): Promise<string> {
  people += 1;
  const email = `person-${people}@example.com`;
  const names = { first_name: 'Ada', last_name: 'Lovelace', tos: true };
  await data('account/register', { email, password: PASSWORD, ...names });
  return email;
}

function cookieOf(received: Received): string {
  return /^__Host-hostkeep_session=([^;]*)/.exec(received.headers['set-cookie'] ?? '')?.[1] ?? '';
}

test('a log-in gives a session whose secret is in the cookie alone', async () => {
  const email = await registered();
  const login = await call('account/login', { email: email.toUpperCase(), password: PASSWORD });
  assert.equal(login.status, 200, login.text);
  const cookie = cookieOf(login);
  assert.match(cookie, /^hk_[\w-]{43}$/);
  assert.ok(!login.text.includes(cookie), 'the body does not carry it');
  assert.match(
    login.headers['set-cookie'] ?? '',
    /; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/m,
  );
  const session = await data('account/session', {}, { cookie });
  assert.equal(session.account.email, email);
  assert.equal(session.token.type, 'session');
  assert.deepEqual(session.account, login.body.data.account);
  const audited = await fixture.pool.pg.query(
    "SELECT input::text FROM audit WHERE operation = 'account/login'",
  );
  assert.ok(!JSON.stringify(audited.rows).includes(PASSWORD), 'the audit does not have the password');
});

test('over plain HTTP the cookie is neither marked Secure nor bound to TLS by its name, or no browser would send it back', async () => {
  const plain = openRequests(fixture, { publicUrl: 'http://localhost:8080' });
  const login = await plain.call('account/login', { email: await registered(), password: PASSWORD });
  assert.match(login.headers['set-cookie'] ?? '', /^hostkeep_session=hk_/);
  assert.ok(!/Secure/.test(login.headers['set-cookie'] ?? ''));
});

test('a POST with the cookie needs the CSRF token of that very session', async () => {
  const email = await registered();
  const first = await call('account/login', { email, password: PASSWORD });
  const second = await call('account/login', { email, password: PASSWORD });
  const cookie = cookieOf(first);
  const request = { name: 'from the browser', scopes: ['panel:read'], password: PASSWORD };
  await refused('csrf_token_invalid', 'account/token-create', request, { cookie });
  const other = second.body.data.csrf_token;
  await refused('csrf_token_invalid', 'account/token-create', request, { cookie, csrf: other });
  await data('account/token-create', request, { cookie, csrf: first.body.data.csrf_token });
});

test('wrong password, unknown address, missing password and disabled user are refused alike', async () => {
  const email = await registered();
  const noPassword = await fixture.customer(0n);
  const { rows } = await fixture.pool.pg.query('SELECT email FROM users WHERE id = $1', [noPassword.userId]);
  const disabled = await registered();
  await fixture.pool.pg.query("UPDATE users SET state = 'disabled' WHERE email = $1", [disabled]);
  const attempts = [
    { email, password: 'something else entirely' },
    { email: 'nobody@example.com', password: PASSWORD },
    { email: rows[0].email, password: PASSWORD },
    { email: disabled, password: PASSWORD },
  ];
  const bodies = [];
  for (const credentials of attempts) {
    const received = await call('account/login', credentials);
    assert.equal(received.status, 401);
    assert.equal(received.headers['set-cookie'], undefined);
    const { request_id, instance, ...rest } = received.body;
    bodies.push(rest);
  }
  for (const body of bodies) assert.deepEqual(body, bodies[0]);
  assert.equal(bodies[0]?.error, 'credentials_invalid');
});

test('guesses are counted before they are checked: the eleventh in a window is refused, right or wrong', async () => {
  const email = await registered();
  const guess = (password: string, ip: string) => call('account/login', { email, password }, { ip });
  for (let count = 0; count < 10; count += 1) {
    assert.equal((await guess(`guess number ${count}`, '198.51.100.7')).status, 401);
  }
  const limited = await guess(PASSWORD, '198.51.100.7');
  assert.equal(limited.status, 429);
  assert.equal(limited.headers['retry-after'], String(limited.body.retry_after));
  assert.ok(limited.body.retry_after > 0 && limited.body.retry_after <= 900);
  const elsewhere = await guess(PASSWORD, '198.51.100.8');
  assert.equal(elsewhere.status, 200, 'the person is not locked out elsewhere');
  fixture.clock.set(fixture.clock.now().add({ minutes: 15 }));
  assert.equal((await guess(PASSWORD, '198.51.100.7')).status, 200, 'the next window is fresh');
});

test('a thousand addresses together get fifty guesses at one person in a window', async () => {
  const email = await registered();
  const answers = [];
  for (let count = 0; count < 51; count += 1) {
    answers.push(
      (await call('account/login', { email, password: 'wrong' }, { ip: `203.0.113.${count}` })).status,
    );
  }
  assert.deepEqual(answers.filter((status) => status === 429).length, 1);
  assert.equal(answers.at(-1), 429);
});

test('one network of IPv6 is one address', async () => {
  const email = await registered();
  const answers = [];
  for (let count = 0; count < 11; count += 1) {
    answers.push(
      (await call('account/login', { email, password: 'wrong' }, { ip: `2001:db8::${count}` })).status,
    );
  }
  assert.equal(answers.at(-1), 429);
});

test('an operator logs in without an account', async () => {
  const now = fixture.clock.now();
  const passwordHash = await hashPassword(PASSWORD);
  await transaction(fixture.pool, (tx) =>
    createStaff(
      tx,
      {
        email: 'staff@example.com',
        passwordHash,
        firstName: '',
        lastName: '',
        locale: 'en',
        timezone: 'UTC',
        staffRole: 'admin',
      },
      now,
    ),
  );
  const login = await call('account/login', { email: 'staff@example.com', password: PASSWORD });
  assert.equal(login.status, 200, login.text);
  assert.equal(login.body.data.account, null);
  assert.equal((await data('account/session', {}, { cookie: cookieOf(login) })).account, null);
  const owner = await call('account/login', { email: await registered(), password: PASSWORD });
  await refused('operation_not_found', 'staff/customers', {}, { cookie: cookieOf(owner) });
});

test('a log-in refuses an Idempotency-Key', async () => {
  const request = { email: await registered(), password: PASSWORD };
  await refused('idempotency_key_invalid', 'account/login', request, { key: 'once' });
});

test('with a second factor, a right password alone is told that a code is missing; a wrong one is told nothing', async () => {
  const ada = await owner();
  const { app } = await secondFactor(ada);
  const credentials = { email: ada.email, password: PASSWORD };
  later();
  await refused('two_factor_required', 'account/login', credentials);
  await refused('credentials_invalid', 'account/login', { ...credentials, password: 'wrong' });
  const guessed = { ...credentials, password: 'wrong', code: app.code() };
  await refused('credentials_invalid', 'account/login', guessed);
  await refused('two_factor_invalid', 'account/login', { ...credentials, code: '000000' });
  const login = await call('account/login', { ...credentials, code: app.code() });
  assert.equal(login.status, 200, login.text);
  assert.deepEqual(login.body.data.two_factor, { enabled: true, methods: ['totp'] });
});

test('a code is good once: neither it nor an earlier one is taken again', async () => {
  const ada = await owner();
  const { app } = await secondFactor(ada);
  const credentials = { email: ada.email, password: PASSWORD };
  await refused('two_factor_invalid', 'account/login', { ...credentials, code: app.code() });
  later();
  const [before, present, next] = [app.code(-1), app.code(), app.code(1)];
  const logIn = (code: string, ip: string) => call('account/login', { ...credentials, code }, { ip });
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => logIn(present, `203.0.113.${index}`)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403, 403, 403, 403, 403]);
  assert.equal((await logIn(before, '203.0.113.7')).body.error, 'two_factor_invalid');
  assert.equal((await logIn(next, '203.0.113.8')).status, 200);
});

test('guesses at the code stop: ten in a quarter of an hour from one place, fifty in a day from all', async () => {
  const ada = await owner();
  const { app } = await secondFactor(ada);
  const guess = (code: string, ip: string) =>
    call('account/login', { email: ada.email, password: PASSWORD, code }, { ip });
  const errors = new Map<string, number>();
  for (let count = 0; count < 55; count += 1) {
    // Not more than the password's own limits let through.
    if (count % 9 === 0) fixture.clock.set(fixture.clock.now().add({ minutes: 15 }));
    const { error } = (await guess('000000', `2001:db8:${count}::1`)).body;
    errors.set(error, (errors.get(error) ?? 0) + 1);
  }
  assert.deepEqual(Object.fromEntries(errors), { two_factor_invalid: 49, rate_limited: 6 });
  assert.equal((await guess(app.code(), '198.51.100.9')).body.error, 'rate_limited');
});
