// Slow: 4 s

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openHarness } from '../../test/harness.ts';

const harness = await openHarness({ settings: { publicUrl: 'https://hostkeep.example/' } });
const { client, pool } = harness;

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
let places = 0;
const follow = (code: string, headers: Record<string, string> = BROWSER) => {
  places += 1;
  return client.send({
    method: 'GET',
    path: `/r/${code}`,
    headers: { 'x-forwarded-for': `203.0.113.${places}`, ...headers },
  });
};

async function affiliate() {
  const as = await harness.customer(0n);
  const { code, link } = await harness.data('account/affiliate-stats', { as });
  const totals = async () => (await harness.data('account/affiliate-stats', { as })).totals;
  return { as, code, link, totals };
}
const cookieOf = (received: { headers: { 'set-cookie'?: string[] | undefined } }) =>
  received.headers['set-cookie']?.[0];

const person = (change: object = {}) => ({
  email: `${randomBytes(8).toString('hex')}@example.com`,
  password: 'correct horse battery staple',
  first_name: 'Ada',
  last_name: 'Lovelace',
  tos: true,
  ...change,
});
async function register(input: object, headers: Record<string, string> = {}): Promise<string | null> {
  const call = { as: null, input: person(input), headers: { 'x-forwarded-for': '198.51.100.7', ...headers } };
  const { email } = await harness.data('account/register', call);
  const row = await pool.kysely
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.id', 'u.account_id')
    .select('a.referred_by')
    .where('u.email', '=', email)
    .executeTakeFirstOrThrow();
  return row.referred_by;
}

test('the link counts a visitor, leaves a cookie for thirty days, and goes on to the front page', async () => {
  const { code, link, totals } = await affiliate();
  assert.equal(link, `https://hostkeep.example/r/${code}`);
  const received = await follow(code);
  assert.deepEqual([received.status, received.headers.location], [302, 'https://hostkeep.example/']);
  assert.equal(
    cookieOf(received),
    `hostkeep_referrer=${code}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure`,
  );
  assert.equal(received.headers['cache-control'], 'no-store');
  assert.equal((await follow(code.toUpperCase())).status, 302);
  assert.equal((await totals()).clicks, 2);
});

test('a code that nobody has is answered alike; what is no code leaves no cookie', async () => {
  const { code } = await affiliate();
  const [known, unknown] = [await follow(code), await follow('zzzzzzzz')];
  assert.equal(cookieOf(unknown), cookieOf(known)?.replace(code, 'zzzzzzzz'));
  assert.deepEqual([unknown.status, unknown.headers.location], [known.status, known.headers.location]);
  for (const wrong of ['x', 'a%0d%0aset-cookie:b=c', '%22;x=y', 'a'.repeat(200)]) {
    const received = await follow(wrong);
    assert.deepEqual([received.status, cookieOf(received)], [302, undefined], wrong);
  }
});

test('what does not ask for a page is not counted, nor more than ten a minute from one place', async () => {
  const { code, totals } = await affiliate();
  assert.equal((await follow(code, { accept: '*/*' })).status, 302);
  assert.equal((await follow(code, {})).status, 302);
  assert.equal((await totals()).clicks, 0);
  for (let click = 0; click < 12; click += 1) {
    assert.equal((await follow(code, { ...BROWSER, 'x-forwarded-for': '192.0.2.77' })).status, 302);
  }
  assert.equal((await totals()).clicks, 10);
});

test('only a GET follows the link', async () => {
  const { code, totals } = await affiliate();
  const received = await client.send({ method: 'POST', path: `/r/${code}`, headers: BROWSER });
  assert.equal(received.status, 404);
  assert.equal((await totals()).clicks, 0);
});

test('who opens an account with the code, or the cookie, is brought by the affiliate; the code goes first', async () => {
  const [one, other] = [await affiliate(), await affiliate()];
  const cookie = { cookie: `theme=dark; hostkeep_referrer=${one.code}` };
  assert.equal(await register({ referral_code: ` ${one.code.toUpperCase()} ` }), one.as.accountId);
  assert.equal(await register({}, cookie), one.as.accountId);
  assert.equal(await register({ referral_code: other.code }, cookie), other.as.accountId);
  assert.equal(await register({}), null);
  assert.deepEqual([(await one.totals()).signups, (await other.totals()).signups], [2, 1]);
});

test('codes that are none, and those of closed accounts, bring nobody, and turn nobody away', async () => {
  const { as, code } = await affiliate();
  for (const referral_code of ['', 'zzzzzzzz', "'; DROP TABLE accounts; --", 'x'.repeat(64)]) {
    assert.equal(await register({ referral_code }), null, referral_code);
  }
  await pool.pg.query("UPDATE accounts SET state = 'closed' WHERE id = $1", [as.accountId]);
  assert.equal(await register({ referral_code: code }), null);
});

test('nobody brings themselves: not while logged in, and not by another name of their mailbox', async () => {
  const { as, code } = await affiliate();
  const loggedIn = { authorization: `Bearer ${as.token}` };
  assert.equal(await register({ referral_code: code }, loggedIn), null);
  const mailbox = randomBytes(6).toString('hex');
  await pool.pg.query('UPDATE users SET email = $2 WHERE id = $1', [as.userId, `${mailbox}@example.com`]);
  assert.equal(await register({ referral_code: code, email: `${mailbox}+second@example.com` }), null);
  await pool.pg.query('UPDATE users SET email = $2 WHERE id = $1', [as.userId, `${mailbox}+hk@example.com`]);
  assert.equal(await register({ referral_code: code, email: `${mailbox}@example.com` }), null);
  assert.equal(
    await register({ referral_code: code, email: `${mailbox}x@example.com` }),
    as.accountId,
    'another mailbox is another person',
  );
});

test('nothing of all this was a fault of the program', () => {
  assert.deepEqual(harness.logged, []);
});
