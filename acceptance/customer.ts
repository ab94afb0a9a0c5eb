import { randomUUID } from 'node:crypto';
import type { Api } from './api.ts';
import { success } from './envelope.ts';
import { type Json, type JsonObject, listAt, numberAt, objectAt } from './json.ts';
import type { Operator } from './operator.ts';

/** A customer made for one test, and nobody else's. */
export interface Customer {
  email: string;
  api: Api;
}

/** `balance` in minor units; none is zero. */
export async function newCustomer(api: Api, operator: Operator, balance = 0): Promise<Customer> {
  const email = `customer-${randomUUID()}@example.com`;
  await operator.createCustomer(email, balance > 0 ? major(balance) : undefined);
  return { email, api: api.as(await operator.token(email)) };
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
