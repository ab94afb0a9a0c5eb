import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authenticator } from './authenticator.ts';
import { type Answered, openHarness } from './harness.ts';
import { mailedToken } from './mailed.ts';

const harness = await openHarness();
const { send, clock, pool, installation } = harness;
const PASSWORD = 'correct horse battery staple';

/** A browser: it keeps the session's cookie, and sends the CSRF token that the log-in told. */
function openBrowser() {
  let cookie = '';
  let csrf = '';
  return async (method: 'GET' | 'POST', path: string, input?: object): Promise<Answered> => {
    const body = input === undefined ? undefined : JSON.stringify(input);
    const answer = await send(method, path, body, null, {
      ...(cookie !== '' && { cookie: `hostkeep_session=${cookie}`, 'x-csrf-token': csrf }),
    });
    const [given] = answer.headers['set-cookie'] ?? [];
    if (given !== undefined) cookie = /^hostkeep_session=([^;]*)/.exec(given)?.[1] ?? '';
    if (typeof answer.body.data?.csrf_token === 'string') csrf = answer.body.data.csrf_token;
    return answer;
  };
}

async function good(answer: Promise<Answered>) {
  const { status, text, body } = await answer;
  assert.equal(status, 200, text);
  return body.data;
}

test('a person registers, proves the address, sets up a second factor, logs in with it, and recovers from its loss', async () => {
  const email = 'ada@example.com';
  const browser = openBrowser();
  const names = { first_name: 'Ada', last_name: 'Lovelace', tos: true };
  await good(browser('POST', 'account/register', { email, password: PASSWORD, ...names }));
  const mailing = { pool, sealer: installation.sealer };
  const token = await mailedToken(mailing, 'account.email-verification', email);
  await good(browser('POST', 'account/email-verify', { token }));
  await good(browser('POST', 'account/login', { email, password: PASSWORD }));
  const { account, two_factor } = await good(browser('GET', 'account/session'));
  assert.deepEqual([account.email_verified, two_factor.enabled], [true, false]);

  const { secret, otpauth_url } = await good(
    browser('POST', 'account/two-factor-setup', { password: PASSWORD }),
  );
  assert.match(otpauth_url, /^otpauth:\/\/totp\//);
  const app = authenticator(secret, clock);
  const { recovery_codes } = await good(browser('POST', 'account/two-factor-confirm', { code: app.code() }));
  await good(browser('POST', 'account/logout', {}));

  clock.set(clock.now().add({ seconds: 30 }));
  const again = openBrowser();
  const bare = await again('POST', 'account/login', { email, password: PASSWORD });
  assert.deepEqual([bare.status, bare.body.error], [403, 'two_factor_required']);
  assert.equal(bare.headers['set-cookie'], undefined, 'no session without the code');
  const credentials = { email, password: PASSWORD, code: app.code() };
  const session = await good(again('POST', 'account/login', credentials));
  assert.deepEqual(session.two_factor, { enabled: true, methods: ['totp'] });
  const replayed = await openBrowser()('POST', 'account/login', credentials);
  assert.deepEqual([replayed.status, replayed.body.error], [403, 'two_factor_invalid']);

  const lost = openBrowser();
  const [recovery, another] = recovery_codes;
  await good(lost('POST', 'account/login', { email, password: PASSWORD, code: recovery }));
  await good(lost('POST', 'account/two-factor-disable', { password: PASSWORD, code: another }));
  const ended = await again('GET', 'account/session');
  assert.equal(ended.status, 401, 'the session on the lost device is over');
  await good(openBrowser()('POST', 'account/login', { email, password: PASSWORD }));
  assert.deepEqual(harness.logged, []);
});
