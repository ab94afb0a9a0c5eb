// Slow: 3 s

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import pg from 'pg';
import { openFixture } from '../../../test/fixture.ts';
import { mailedLinks, mailedToken, mailsOf } from '../../../test/mailed.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data, refused } = requests;
const { owner, logIn, secondFactor, later, apiToken } = openPeople(fixture, requests);
const NEW = 'incorrect zebra dynamo clip';

let callers = 0;
async function resetToken(email: string): Promise<string> {
  callers += 1;
  await data('account/password-reset', { email }, { ip: `2001:db8:${callers}::1` });
  return await mailedToken(fixture, 'account.password-reset', email);
}
const confirm = (token: string, more: object = {}) =>
  call('account/password-reset-confirm', { token, new_password: NEW, ...more });

test('an address that nobody has is answered as one that somebody has', async () => {
  const ada = await owner();
  const disabled = await owner();
  await fixture.pool.pg.query("UPDATE users SET state = 'disabled' WHERE email = $1", [disabled.email]);
  const told = await Promise.all(
    [ada.email, 'nobody@example.com', disabled.email].map(async (email) => {
      const { status, headers, body } = await call('account/password-reset', { email });
      assert.equal(body.data.email, email);
      const { 'x-request-id': _, 'ratelimit-remaining': __, ...others } = headers;
      return { status, headers: others, body: { ...body, data: null } };
    }),
  );
  assert.deepEqual(told[1], told[0]);
  assert.deepEqual(told[2], told[0]);
  assert.equal((await mailedLinks(fixture, 'account.password-reset', ada.email)).length, 1);
  assert.deepEqual(await mailsOf(fixture, 'nobody@example.com'), []);
});

const nameOf = (query: unknown) => (query as { readonly name?: string } | undefined)?.name;

test('as many statements run for an address that nobody has: time tells nothing either', async () => {
  const ada = await owner();
  const statementsFor = async (email: string) => {
    const spied = mock.method(pg.Client.prototype, 'query');
    await data('account/password-reset', { email });
    spied.mock.restore();
    // Which catalogue is the newest is asked by time, whoever comes.
    return spied.mock.calls.filter(({ arguments: [query] }) => nameOf(query) !== 'newest_catalog_version')
      .length;
  };
  await statementsFor('warm@example.com');
  const [known, unknown] = [await statementsFor(ada.email), await statementsFor('nobody@example.com')];
  assert.ok(known > 3);
  assert.equal(unknown, known);
});

test('the link is good once, ends all sessions, and leaves API tokens', async () => {
  const ada = await owner();
  const proof = await mailedToken(fixture, 'account.email-verification', ada.email);
  await data('account/email-verify', { token: proof });
  const api = await apiToken(ada);
  const token = await resetToken(ada.email);
  const [link = ''] = await mailedLinks(fixture, 'account.password-reset', ada.email);
  assert.equal(link, `https://hostkeep.example/reset-password#${token}`);
  assert.equal((await confirm(token)).status, 200);
  assert.equal((await confirm(token)).body.error, 'link_invalid');
  const fresh = openRequests(fixture);
  await fresh.refused('token_revoked', 'account/session', {}, ada.sent);
  await fresh.data('account/session', {}, { token: api });
  await logIn({ email: ada.email, password: NEW });
  await refused('credentials_invalid', 'account/login', { email: ada.email, password: PASSWORD });
  assert.ok((await mailsOf(fixture, ada.email)).includes('account.password-changed'));
  const { rows } = await fixture.pool.pg.query(
    "SELECT operation FROM audit WHERE account_id = $1 AND operation = 'account/password-reset-confirm'",
    [ada.accountId],
  );
  assert.equal(rows.length, 1, 'audited with the account, although nobody was logged in');
});

test('of two who follow it at the same moment, one sets the password', async () => {
  const ada = await owner();
  const token = await resetToken(ada.email);
  const answers = await Promise.all(
    ['one', 'two', 'three'].map((word) => confirm(token, { new_password: `${NEW} ${word}` })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410]);
});

test('it is good for an hour, and the newest only', async () => {
  const ada = await owner();
  const first = await resetToken(ada.email);
  const second = await resetToken(ada.email);
  assert.equal((await confirm(first)).body.error, 'link_invalid');
  fixture.clock.set(fixture.clock.now().add({ minutes: 60 }));
  assert.equal((await confirm(second)).body.error, 'link_invalid');
  assert.equal((await confirm('made-up')).body.error, 'link_invalid');
  const third = await resetToken(ada.email);
  fixture.clock.set(fixture.clock.now().add({ minutes: 59 }));
  assert.equal((await confirm(third)).status, 200);
});

test('the mailbox alone is not enough for who has a second factor and a confirmed address', async () => {
  const ada = await owner();
  await data('account/email-verify', {
    token: await mailedToken(fixture, 'account.email-verification', ada.email),
  });
  const { app } = await secondFactor(ada);
  later();
  const token = await resetToken(ada.email);
  assert.equal((await confirm(token)).body.error, 'two_factor_required');
  assert.equal((await confirm(token, { code: '000000' })).body.error, 'two_factor_invalid');
  assert.equal((await confirm(token, { code: app.code() })).status, 200, 'the link is still good');
});

test('a link of another purpose resets nothing', async () => {
  const ada = await owner();
  const token = await mailedToken(fixture, 'account.email-verification', ada.email);
  assert.equal((await confirm(token)).body.error, 'link_invalid');
});

test('a password that is too easy leaves the link good', async () => {
  const ada = await owner();
  const token = await resetToken(ada.email);
  assert.equal((await confirm(token, { new_password: `12${ada.email}` })).body.error, 'validation_failed');
  assert.equal((await confirm(token)).status, 200);
});

test('asking is limited, for each address and each network, known or not', async () => {
  for (const email of [(await owner()).email, 'unknown@example.com']) {
    for (let times = 0; times < 20; times += 1) {
      await data('account/password-reset', { email }, { ip: `198.51.100.${times}` });
    }
    await refused('rate_limited', 'account/password-reset', { email }, { ip: '198.51.100.99' });
  }
  for (let times = 0; times < 30; times += 1) {
    await data('account/password-reset', { email: `somebody-${times}@example.com` }, { ip: '203.0.113.77' });
  }
  const another = { email: 'somebody@example.com' };
  await refused('rate_limited', 'account/password-reset', another, { ip: '203.0.113.77' });
});

test('the secret of a link is nowhere in clear', async () => {
  const ada = await owner();
  const token = await resetToken(ada.email);
  await confirm(token);
  const { rows } = await fixture.pool.pg.query(
    `SELECT (SELECT string_agg(m::text, ' ') FROM mails m) AS mails, (SELECT string_agg(l::text, ' ') FROM mailed_links l) AS links,
       (SELECT string_agg(a::text, ' ') FROM audit a) AS audit, (SELECT string_agg(e::text, ' ') FROM events e) AS events`,
  );
  assert.ok(!JSON.stringify(rows).includes(token));
});
