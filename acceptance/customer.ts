import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Api } from './api.ts';
import { success } from './envelope.ts';
import type { Answer } from './exchange.ts';
import { type Json, type JsonObject, listAt, numberAt, objectAt, stringAt } from './json.ts';
import type { Operator } from './operator.ts';

/** A customer made for one test, and nobody else's. */
export interface Customer {
  email: string;
  /** Called with an API token of every scope. */
  api: Api;
}

export interface Credentials {
  email: string;
  password: string;
}

/** `balance` in minor units; none is zero. */
export async function newCustomer(api: Api, operator: Operator, balance = 0): Promise<Customer> {
  const credentials = freshCredentials();
  const { email } = credentials;
  const nobody = api.as(null);
  success(await register(nobody, credentials));
  if (balance > 0) await operator.adjustBalance(email, major(balance));
  return { email, api: await everyScope(nobody, credentials) };
}

/** The API called with a token of every scope, which somebody makes who logs in. */
export async function everyScope(api: Api, credentials: Credentials): Promise<Api> {
  const session = await api.as(null).post('account/login', credentials);
  const made = await api.call('POST', 'account/token-create', {
    token: null,
    json: { name: 'test', scopes: ['*'], password: credentials.password },
    headers: { cookie: cookieOf(session), 'x-csrf-token': stringAt(success(session), '/csrf_token') },
  });
  return api.as(stringAt(success(made), '/token'));
}

export function freshCredentials(): Credentials {
  const name = randomUUID();
  return { email: `customer-${name}@example.com`, password: `a long secret ${name}` };
}

export function register(api: Api, credentials: Credentials): Promise<Answer> {
  return api.post('account/register', {
    ...credentials,
    first_name: 'Ada',
    last_name: 'Lovelace',
    tos: true,
  });
}

/** The name and value of the cookie that an answer sets, as a browser sends them back. */
export function cookieOf(answer: Answer): string {
  const [cookie] = answer.headers['set-cookie'] ?? [];
  if (!cookie) assert.fail('no cookie was set');
  return cookie.split(';')[0] ?? '';
}

/** Minor units as people write them: 1050 is 10.50. */
export function major(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** An amount of the wire in minor units; exact, because the wire prints at most two decimals. */
export function minor(amount: Json): number {
  return Math.round(numberAt(amount, '') * 100);
}

export async function balanceMinor(api: Api): Promise<number> {
  return numberAt(success(await api.get('account/balance')), '/balance_minor');
}

/** Every entry of a list operation, page by page. */
export async function everyEntry(
  api: Api,
  path: string,
  member: string,
  filter: Record<string, unknown> = {},
): Promise<JsonObject[]> {
  const entries: JsonObject[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const data = success(await api.get(path, { ...filter, page, per_page: 100 }));
    pages = numberAt(data, '/pagination/total_pages');
    entries.push(...listAt(data, `/${member}`).map((entry) => objectAt(entry, '')));
  }
  return entries;
}
