import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import pg from 'pg';
import { openFixture } from '../../../test/fixture.ts';
import { mailedToken, mailsOf } from '../../../test/mailed.ts';
import { openRequests } from '../../../test/requests.ts';
import { attempt } from '../../business/core/access/attempt.ts';
import { LIMITS } from '../../business/core/access/limits.ts';

const fixture = await openFixture();
const { call, data, refused } = openRequests(fixture);

const person = {
  email: 'Ada.Lovelace@Example.com',
  password: 'correct horse battery staple',
  first_name: ' Ada ',
  last_name: 'Lovelace',
  tos: true,
};

const OTHER = 'incorrect zebra dynamo clip';
const AGAIN = 'account.already-registered';

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
  assert.equal(login.account.role, 'owner');
  assert.equal(login.account.email_verified, false);
  const { rows } = await fixture.pool.pg.query(
    'SELECT a.balance, u.password_hash FROM accounts a JOIN users u ON u.account_id = a.id WHERE a.id = $1',
    [login.account.uuid],
  );
  assert.equal(rows[0].balance, 0n);
  assert.match(rows[0].password_hash, /^\$argon2id\$/);
});

test('an address registers once, however it is written and however many try at once', async () => {
  await data('account/register', { ...person, email: 'ADA.LOVELACE@EXAMPLE.COM', password: OTHER });
  await refused('credentials_invalid', 'account/login', { email: person.email, password: OTHER });
  const attempts = await Promise.all(
    Array.from({ length: 8 }, () => call('account/register', { ...person, email: 'grace@example.com' })),
  );
  assert.deepEqual(new Set(attempts.map((one) => one.status)), new Set([200]));
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

test('who is a customer is told to the mailbox alone: the answer is the same, and the owner gets a mail', async () => {
  const known = { ...person, email: 'known@example.com', first_name: 'Known' };
  await data('account/register', known);
  await data('account/email-verify', {
    token: await mailedToken(fixture, 'account.email-verification', known.email),
  });
  const gone = { ...person, email: 'gone@example.com' };
  await data('account/register', gone);
  await fixture.pool.pg.query("UPDATE users SET state = 'disabled' WHERE email = $1", [gone.email]);
  const answers = [];
  for (const email of [known.email, gone.email, 'unknown@example.com']) {
    const { status, headers, body } = await call('account/register', { ...person, email, password: OTHER });
    const { 'x-request-id': _, 'ratelimit-remaining': __, ...others } = headers;
    assert.equal(body.data.email, email);
    answers.push({ status, headers: others, body: { ...body, data: { ...body.data, email: null } } });
  }
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[2], answers[0]);
  assert.deepEqual(
    (await mailsOf(fixture, known.email)).filter((name) => name === AGAIN),
    [AGAIN],
  );
  assert.deepEqual(
    (await mailsOf(fixture, gone.email)).filter((name) => name === AGAIN),
    [],
  );
  assert.deepEqual(await mailsOf(fixture, 'unknown@example.com'), ['account.email-verification']);
  const { account } = await data('account/login', { email: known.email, password: person.password });
  assert.equal(account.first_name, 'Known');
  assert.equal(account.email_verified, true);
});

const nameOf = (query: unknown) => (query as { readonly name?: string } | undefined)?.name;

test('as many statements run for an address that has an account: time tells nothing either', async () => {
  const statementsFor = async (email: string) => {
    const spied = mock.method(pg.Client.prototype, 'query');
    await data('account/register', { ...person, email });
    spied.mock.restore();
    // Which catalogue is the newest is asked by time, whoever comes.
    return spied.mock.calls.filter(({ arguments: [query] }) => nameOf(query) !== 'newest_catalog_version')
      .length;
  };
  await statementsFor('warm@example.com');
  const [unknown, known] = [await statementsFor('cold@example.com'), await statementsFor('cold@example.com')];
  assert.ok(unknown > 6);
  assert.equal(known, unknown);
});

test('registering is limited for each network, and for each address, known or not', async () => {
  const from = { ip: '198.51.100.1' };
  while ((await attempt(fixture.pool, LIMITS.register(from.ip), fixture.clock.now())) === null);
  await refused('rate_limited', 'account/register', { ...person, email: 'another@example.com' }, from);
  for (const email of ['warm@example.com', 'often@example.com']) {
    while ((await attempt(fixture.pool, LIMITS.registerOf(email), fixture.clock.now())) === null);
    await refused('rate_limited', 'account/register', { ...person, email });
  }
});

test('a registration refuses an Idempotency-Key', async () => {
  await refused('idempotency_key_invalid', 'account/register', person, { key: 'once' });
});
