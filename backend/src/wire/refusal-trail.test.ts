import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../test/fixture.ts';
import { openPeople, PASSWORD } from '../../test/people.ts';
import { openRequests } from '../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture, { limits: { perToken: 20, perAddress: 1_000_000 } });
const { call, data, refused, runner } = requests;
const people = openPeople(fixture, requests);

interface Row {
  operation: string;
  code: number;
  user_id: string | null;
  token_id: string | null;
  ip: string | null;
  input: { refused: string; times: number };
}

async function trailOf(accountId: string | null, operation: string): Promise<Row[]> {
  await runner.close();
  const { rows } = await fixture.pool.pg.query(
    `SELECT operation, code, user_id, token_id, host(ip) AS ip, input FROM audit
     WHERE account_id IS NOT DISTINCT FROM $1 AND operation = $2 AND code >= 400
     ORDER BY created_at, (input ->> 'times')::int DESC`,
    [accountId, operation],
  );
  return rows;
}

test('failed log-ins are gathered by person and network, and hold nothing that was typed', async () => {
  const ada = await people.owner();
  const guess = { email: ada.email, password: 'some secret guess' };
  for (let times = 0; times < 5; times += 1)
    await refused('credentials_invalid', 'account/login', guess, { ip: '203.0.113.5' });
  await refused('credentials_invalid', 'account/login', guess, { ip: '2001:db8:77::1' });
  await refused('credentials_invalid', 'account/login', guess, { ip: '2001:db8:77::2' });
  const typed = { email: 'mistyped-secret@example.com', password: 'another guess' };
  await refused('credentials_invalid', 'account/login', typed, { ip: '203.0.113.5' });
  const rows = await trailOf(ada.accountId, 'account/login');
  assert.deepEqual(
    rows.map(({ ip, input }) => [ip, input.refused, input.times]),
    [
      ['203.0.113.5', 'credentials_invalid', 5],
      ['2001:db8:77::1', 'credentials_invalid', 2],
    ],
  );
  const nobody = await trailOf(null, 'account/login');
  assert.deepEqual(
    nobody.map(({ input }) => input.times),
    [1],
  );
  const { rows: everything } = await fixture.pool.pg.query(
    "SELECT string_agg(a::text, ' ') AS all FROM audit a",
  );
  for (const text of ['guess', 'mistyped']) assert.ok(!everything[0].all.includes(text));
});

test('a scope that a token lacks, a forged request, and too many requests leave who and how often', async () => {
  const ada = await people.owner();
  const { userId, ...reader } = await people.member(ada, 'readonly');
  const { cookie } = reader.sent;
  await refused('scope_missing', 'account/users', {}, reader.sent);
  await refused('scope_missing', 'account/users', {}, reader.sent);
  await refused('csrf_token_invalid', 'account/password-change', {}, { cookie });
  let answer = await call('account/session', {}, reader.sent);
  while (answer.status === 200) answer = await call('account/session', {}, reader.sent);
  assert.equal(answer.body.error, 'rate_limited');
  await call('account/session', {}, reader.sent);
  const seen = async (operation: string) =>
    (await trailOf(ada.accountId, operation)).map((row) => [row.user_id, row.input.refused, row.input.times]);
  assert.deepEqual(await seen('account/users'), [[userId, 'scope_missing', 2]]);
  assert.deepEqual(await seen('account/password-change'), [[userId, 'csrf_token_invalid', 1]]);
  assert.deepEqual(await seen('account/session'), [[userId, 'rate_limited', 2]]);
});

test('a token that is used from elsewhere is told apart from those that nobody has', async () => {
  const ada = await people.owner();
  const input = { name: 'bound', scopes: ['*'], ip_allowlist: ['192.0.2.9'], password: PASSWORD };
  const { token, uuid } = await data('account/token-create', input, ada.sent);
  await refused('ip_not_allowed', 'account/session', {}, { token, ip: '203.0.113.9' });
  await refused('token_invalid', 'account/session', {}, { token: 'hk_made-up', ip: '203.0.113.9' });
  const rows = await trailOf(ada.accountId, 'account/session');
  assert.deepEqual(
    rows.map((row) => [row.token_id, row.ip, row.input.refused]),
    [[uuid, '203.0.113.9', 'ip_not_allowed']],
  );
});

test('guesses from ten thousand networks leave a bounded number of rows, and are all counted', async () => {
  const before = (await trailOf(null, 'account/logout')).length;
  const token = 'hk_made-up';
  const others = openRequests(fixture, { limits: { perToken: 1, perAddress: 0 } });
  for (let at = 0; at < 1_500; at += 1)
    await others.call('account/logout', {}, { token, ip: `10.0.${at >> 8}.${at & 255}` });
  await others.runner.close();
  const rows = (await trailOf(null, 'account/logout')).slice(before);
  assert.ok(rows.length <= 1_001, String(rows.length));
  assert.equal(
    rows.reduce((sum, { input }) => sum + input.times, 0),
    1_500,
  );
});
