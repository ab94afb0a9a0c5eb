import type { Api } from './api.ts';
import { type Credentials, cookieOf } from './customer.ts';
import { success } from './envelope.ts';
import type { Answer } from './exchange.ts';
import { stringAt } from './json.ts';
import { totp } from './totp.ts';

const OPERATOR: Credentials = { email: 'operator@hostkeep.example', password: 'hostkeep demo password' };

/** Somebody who is logged in as in a browser: by a cookie, and the CSRF token that came with the log-in. */
export class Session {
  readonly #api: Api;
  readonly #cookie: string;
  readonly #csrf: string;

  constructor(api: Api, answer: Answer) {
    this.#api = api.as(null);
    this.#cookie = cookieOf(answer);
    this.#csrf = stringAt(success(answer), '/csrf_token');
  }

  get(path: string, json?: Record<string, unknown>): Promise<Answer> {
    return this.#api.call('GET', path, {
      ...(json === undefined ? {} : { json }),
      headers: { cookie: this.#cookie },
    });
  }

  post(path: string, json: unknown): Promise<Answer> {
    return this.#api.call('POST', path, {
      json,
      headers: { cookie: this.#cookie, 'x-csrf-token': this.#csrf },
    });
  }
}

/** `code` is the second factor, of who has one. */
export async function loggedIn(api: Api, credentials: Credentials, code?: string): Promise<Session> {
  const json = { ...credentials, ...(code === undefined ? {} : { code }) };
  return new Session(api, await api.as(null).post('account/login', json));
}

/** The demo's operator, whose log-in the first start prints; the first log-in set up two-factor authentication. */
export function staff(api: Api): Promise<Session> {
  const session = operators.get(api) ?? firstLogIn(api);
  operators.set(api, session);
  return session;
}

const operators = new WeakMap<Api, Promise<Session>>();

async function firstLogIn(api: Api): Promise<Session> {
  const session = await loggedIn(api, OPERATOR);
  const { password } = OPERATOR;
  const secret = stringAt(success(await session.post('account/two-factor-setup', { password })), '/secret');
  success(await session.post('account/two-factor-confirm', { code: totp(secret) }));
  return session;
}
