import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const { call, data, refused } = openRequests(fixture);

const person = {
  email: 'Ada.Lovelace@Example.com',
  password: 'correct horse battery staple',
  first_name: ' Ada ',
  last_name: 'Lovelace',
  tos: true,
};

test('who registers has an account without money, whose owner logs in', async () => {
  const created = await data(
    'account/register',
    { ...person, timezone: 'Europe/London' },
    {
      headers: { 'accept-language': 'de' },
    },
  );
  assert.equal(created.email, 'ada.lovelace@example.com');
  assert.equal(created.first_name, 'Ada');
  assert.equal(created.locale, 'de');
  assert.equal(created.currency, 'EUR');
  const login = await data('account/login', { email: person.email, password: person.password });
  assert.equal(login.account.uuid, created.uuid);
  assert.equal(login.account.role, 'owner');
  assert.equal(login.account.email_verified, false);
  const { rows } = await fixture.pool.pg.query(
    'SELECT a.balance, u.password_hash FROM accounts a JOIN users u ON u.account_id = a.id WHERE a.id = $1',
    [created.uuid],
  );
  assert.equal(rows[0].balance, 0n);
  assert.match(rows[0].password_hash, /^\$argon2id\$/);
});

test('an address registers once, however it is written and however many try at once', async () => {
  await refused('already_exists', 'account/register', { ...person, email: 'ADA.LOVELACE@EXAMPLE.COM' });
  const attempts = await Promise.all(
    Array.from({ length: 8 }, () => call('account/register', { ...person, email: 'grace@example.com' })),
  );
  assert.deepEqual(attempts.map((one) => one.status).sort(), [200, 409, 409, 409, 409, 409, 409, 409]);
  const { rows } = await fixture.pool.pg.query(
    `SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(DISTINCT account_id) FROM users) AS owners`,
  );
  assert.equal(rows[0].accounts, rows[0].owners, 'no account is without its owner');
});

test('what cannot be an account is refused with the field that is wrong', async () => {
  const wrong: [Record<string, unknown>, string][] = [
    [{ email: 'no address' }, '/email'],
    [{ email: `${'a'.repeat(250)}@example.com` }, '/email'],
    [{ password: 'too short' }, '/password'],
    [{ password: 'x'.repeat(129) }, '/password'],
    [{ password: 'aaaaaaaaaaaaaa' }, '/password'],
    [{ password: 'ada.lovelace@example.com' }, '/password'],
    [{ password: 'P4ssw0rd2024!' }, '/password'],
    [{ first_name: '  ' }, '/first_name'],
    [{ last_name: 'x'.repeat(65) }, '/last_name'],
    [{ locale: 'fr' }, '/locale'],
    [{ timezone: 'Europe/Atlantis' }, '/timezone'],
    [{ timezone: '+01:00' }, '/timezone'],
    [{ is_admin: true }, '/is_admin'],
  ];
  for (const [change, pointer] of wrong) {
    const body = await refused('validation_failed', 'account/register', { ...person, ...change });
    assert.deepEqual(
      body.errors.map((one: { pointer: string }) => one.pointer),
      [pointer],
    );
  }
  const { tos, ...untold } = person;
  await refused('terms_not_accepted', 'account/register', { ...untold, email: 'new@example.com' });
  await refused('terms_not_accepted', 'account/register', {
    ...person,
    tos: false,
    email: 'new@example.com',
  });
});

test('a closed installation opens no accounts', async () => {
  const closed = openRequests(fixture, { registration: 'closed' });
  await closed.refused('registration_restricted', 'account/register', {
    ...person,
    email: 'new@example.com',
  });
});

test('asking for known addresses is limited for each network', async () => {
  const answers = [];
  for (let count = 0; count < 61; count += 1) {
    answers.push((await call('account/register', person, { ip: '198.51.100.1' })).body.error);
  }
  assert.ok(answers.slice(0, 60).every((error) => error === 'already_exists'));
  assert.equal(answers.at(-1), 'rate_limited');
});

test('a registration refuses an Idempotency-Key', async () => {
  await refused('idempotency_key_invalid', 'account/register', person, { key: 'once' });
});
