import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests, type Received } from '../../../test/requests.ts';
import { createStaff } from '../../business/accounts/customer.ts';
import { hashPassword } from '../../business/accounts/password.ts';
import { transaction } from '../../db/transaction.ts';

const fixture = await openFixture();
const { call, data, refused } = openRequests(fixture);
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
  return /^hostkeep_session=([^;]*)/.exec(received.headers['set-cookie'] ?? '')?.[1] ?? '';
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
    /; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
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

test('over plain HTTP the cookie is not marked Secure, or no browser would send it back', async () => {
  const plain = openRequests(fixture, { publicUrl: 'http://localhost:8080' });
  const login = await plain.call('account/login', { email: await registered(), password: PASSWORD });
  assert.ok(!/Secure/.test(login.headers['set-cookie'] ?? ''));
});

test('a POST with the cookie needs the CSRF token of that very session', async () => {
  const email = await registered();
  const first = await call('account/login', { email, password: PASSWORD });
  const second = await call('account/login', { email, password: PASSWORD });
  const cookie = cookieOf(first);
  const request = { name: 'from the browser', scopes: ['panel:read'] };
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
      },
      now,
    ),
  );
  const login = await call('account/login', { email: 'staff@example.com', password: PASSWORD });
  assert.equal(login.status, 200, login.text);
  assert.equal(login.body.data.account, null);
  await data('staff/customers', {}, { cookie: cookieOf(login) });
  const owner = await call('account/login', { email: await registered(), password: PASSWORD });
  await refused('operation_not_found', 'staff/customers', {}, { cookie: cookieOf(owner) });
});

test('a log-in refuses an Idempotency-Key', async () => {
  const request = { email: await registered(), password: PASSWORD };
  await refused('idempotency_key_invalid', 'account/login', request, { key: 'once' });
});
