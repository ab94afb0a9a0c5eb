import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../api.ts';
import { type Credentials, cookieOf, freshCredentials, register } from '../customer.ts';
import { session as sessionShape } from '../documented/payloads.ts';
import { refusal, success, timeless } from '../envelope.ts';
import { eventually } from '../eventually.ts';
import type { Answer } from '../exchange.ts';
import type { Installation } from '../installation.ts';
import { at, stringAt } from '../json.ts';

/** Registration, log-in, the session cookie and its protection, and the limit on guessing. */
export function accountCases({ api }: Installation): void {
  const nobody = api.as(null);

  test('who registers can log in; the cookie is closed to scripts and other sites', async () => {
    const credentials = await registered(nobody);
    const answer = await login(nobody, credentials);
    success(answer);
    const [attributes = ''] = answer.headers['set-cookie'] ?? [];
    assert.match(attributes, /;\s*HttpOnly/i);
    assert.match(attributes, /;\s*SameSite=(Lax|Strict)/i);
    assert.match(attributes, /;\s*Path=\//i);
    const session = success(
      await withCookie(nobody, 'GET', 'account/session', cookieOf(answer)),
      sessionShape,
    );
    assert.equal(at(session, '/account/email'), credentials.email);
    assert.equal(at(session, '/token/type'), 'session');
  });

  test('a POST with the cookie needs the CSRF token, and the right one', async () => {
    const credentials = await registered(nobody);
    const answer = await login(nobody, credentials);
    const cookie = cookieOf(answer);
    const csrf = stringAt(answer.body, '/data/csrf_token');
    const { password } = credentials;
    const request = { name: 'from the browser', scopes: ['panel:read'], password };
    const without = await withCookie(nobody, 'POST', 'account/token-create', cookie, request);
    refusal(without, 403, 'csrf_token_invalid');
    const wrong = await withCookie(nobody, 'POST', 'account/token-create', cookie, request, `${csrf}x`);
    refusal(wrong, 403, 'csrf_token_invalid');
    const other = await login(nobody, await registered(nobody));
    const foreign = stringAt(other.body, '/data/csrf_token');
    const swapped = await withCookie(nobody, 'POST', 'account/token-create', cookie, request, foreign);
    refusal(swapped, 403, 'csrf_token_invalid');
    success(await withCookie(nobody, 'POST', 'account/token-create', cookie, request, csrf));
  });

  test('after logout the cookie is refused through every base address within a second', async () => {
    const answer = await login(nobody, await registered(nobody));
    const cookie = cookieOf(answer);
    const csrf = stringAt(answer.body, '/data/csrf_token');
    success(await withCookie(nobody, 'GET', 'account/session', cookie));
    success(await withCookie(nobody, 'POST', 'account/logout', cookie, {}, csrf));
    const outAt = performance.now();
    for (const base of nobody.bases) {
      await eventually('the refusal', async () => {
        const headers = { cookie };
        const sentAt = performance.now();
        const late = await nobody.call('GET', 'account/session', { headers, base });
        if (late.status !== 200) return refusal(late, 401, 'token_revoked', 'token_invalid');
        assert.ok(sentAt - outAt < 1000, 'accepted a second after the logout');
        return undefined;
      });
    }
  });

  test('a wrong password and an unknown address are refused alike', async () => {
    const { email } = await registered(nobody);
    const wrong = await login(nobody, { email, password: 'not the password' });
    const unknown = await login(nobody, { email: freshCredentials().email, password: 'not the password' });
    refusal(wrong, 401, 'credentials_invalid');
    refusal(unknown, 401, 'credentials_invalid');
    assert.deepEqual(timeless(wrong.body), timeless(unknown.body));
    assert.equal(wrong.headers['set-cookie'], undefined);
  });

  test('an address registers once; a weak password or no address not at all', async () => {
    const credentials = await registered(nobody);
    const again = await register(nobody, { ...credentials, email: credentials.email.toUpperCase() });
    assert.ok(again.status < 500, again.text);
    refusal(await register(nobody, { ...freshCredentials(), password: 'short' }), 422, 'validation_failed');
    refusal(await register(nobody, { ...freshCredentials(), email: 'no address' }), 422, 'validation_failed');
    success(await login(nobody, credentials), undefined, 200);
  });

  test('guessing a password is rate_limited with Retry-After, over all base addresses together', async () => {
    const { email, password } = await registered(nobody);
    let limited: Answer | undefined;
    for (let guess = 0; guess < 60 && !limited; guess++) {
      const answer = await login(nobody, { email, password: `guess number ${guess}` });
      if (answer.status === 429) limited = answer;
      else refusal(answer, 401, 'credentials_invalid');
    }
    if (!limited) assert.fail('60 guesses went unlimited');
    const body = refusal(limited, 429, 'rate_limited');
    assert.match(limited.headers['retry-after'] ?? '', /^[1-9]\d*$/);
    assert.equal(String(at(body, '/retry_after')), limited.headers['retry-after']);
    for (const base of nobody.bases) {
      const right = await nobody.call('POST', 'account/login', { json: { email, password }, base });
      refusal(right, 429, 'rate_limited');
    }
  });
}

async function registered(api: Api): Promise<Credentials> {
  const credentials = freshCredentials();
  success(await register(api, credentials));
  return credentials;
}

function login(api: Api, { email, password }: Credentials): Promise<Answer> {
  return api.post('account/login', { email, password });
}

function withCookie(
  api: Api,
  method: string,
  path: string,
  cookie: string,
  json?: unknown,
  csrf?: string,
): Promise<Answer> {
  return api.call(method, path, {
    ...(json === undefined ? {} : { json }),
    headers: { cookie, ...(csrf === undefined ? {} : { 'x-csrf-token': csrf }) },
  });
}
