import assert from 'node:assert/strict';
import { serverOrders } from './catalogue.ts';
import { type Customer, everyEntry } from './customer.ts';
import { refusal, success } from './envelope.ts';
import { eventually } from './eventually.ts';
import type { Answer } from './exchange.ts';
import type { OwnInstallation } from './installation.ts';
import { at, type JsonObject, numberAt, stringAt } from './json.ts';

const CLIENTS = 16;

/** What fails while orders are sent. */
export interface Failing {
  /** After so many acknowledged orders each. */
  readonly after: readonly number[];
  /** Makes it fail, and returns when it works again. */
  fail(): Promise<void>;
}

/**
 * Sends orders of servers while something fails in their midst. An order whose answer was lost is repeated with its key,
 * as a careful client does. Gives the payload of every order by its host name.
 */
export async function orderThrough(
  { after, fail }: Failing,
  site: OwnInstallation,
  customer: Customer,
  orders: number,
): Promise<Map<string, JsonObject>> {
  const offers = await serverOrders(customer.api);
  const acknowledged = new Map<string, JsonObject>();
  let next = 0;
  let working = Promise.resolve();

  async function place(index: number): Promise<JsonObject> {
    const name = `server-${index}.example.com`;
    const headers = { 'Idempotency-Key': `crash-${index}` };
    let choice = index;
    let refusals = 0;
    return await eventually(`that ${name} is acknowledged`, async () => {
      await working;
      // The same request as long as its answer is not known; another one only after a refusal.
      const offer = offers[choice % offers.length];
      const answer = await answered(() =>
        site.api.as(customer.api.token).post('server/order', { ...offer, hostname: name }, headers),
      );
      if (answer === undefined || answer.status >= 500) return undefined;
      if (answer.status !== 409) return success(answer, undefined, answer.status === 200 ? 200 : 202);
      const { error } = refusal(answer, 409, 'out_of_stock', 'idempotency_in_progress');
      if (error === 'out_of_stock') {
        choice++;
        assert.ok(++refusals < offers.length, `nothing is in stock for ${name}`);
      }
      return undefined;
    });
  }

  async function client(): Promise<void> {
    while (next < orders) {
      const index = next++;
      acknowledged.set(`server-${index}.example.com`, await place(index));
      if (after.includes(acknowledged.size)) working = working.then(fail);
    }
  }

  await Promise.all(Array.from({ length: CLIENTS }, client));
  await working;
  assert.equal(acknowledged.size, orders, 'every order was acknowledged, before a failure or when repeated');
  return acknowledged;
}

/** Undefined when the connection was refused or cut: whether the request had an effect is not known. */
async function answered(send: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await send();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ECONNRESET' || code === 'ECONNREFUSED' || code === 'EPIPE') return undefined;
    throw error;
  }
}

/**
 * Waits for the end of all work. Each acknowledged order then has its one server or was released, each server that runs
 * was charged once, and the balance is what is left of the credit.
 */
export async function assertDelivered(
  acknowledged: ReadonlyMap<string, JsonObject>,
  site: OwnInstallation,
  customer: Customer,
  credit: number,
): Promise<void> {
  const api = site.api.as(customer.api.token);
  await eventually('the end of all work', async () => {
    for (const state of ['pending', 'provisioning']) {
      const data = success(await api.get('server/list', { state, per_page: 1 }));
      if (numberAt(data, '/pagination/total') > 0) return undefined;
    }
    return true;
  });
  const servers = await everyEntry(api, 'server/list', 'servers');
  const byUuid = new Map(servers.map((server) => [stringAt(server, '/uuid'), server]));
  assert.equal(new Set(servers.map((server) => server.hostname)).size, servers.length, 'no server twice');
  const addresses = servers.flatMap((server) => (server.ipv4 === null ? [] : [server.ipv4]));
  assert.equal(new Set(addresses).size, addresses.length, 'no address twice');
  for (const order of acknowledged.values()) {
    const server = byUuid.get(stringAt(order, '/server_uuid'));
    const state = server?.state ?? 'deleted';
    assert.ok(['active', 'error', 'cancelled', 'deleted'].includes(String(state)), `${state}`);
  }
  const active = servers.filter((server) => server.state === 'active');
  const debits = await everyEntry(api, 'account/transactions', 'transactions', {
    type: 'order',
    direction: 'debit',
  });
  const booked = debits.filter((row) => row.state === 'booked');
  assert.equal(booked.length, debits.length, 'nothing is left pending');
  assert.equal(booked.length, active.length);
  assert.equal(new Set(booked.map((row) => row.order_id)).size, booked.length, 'no order is charged twice');
  assert.deepEqual(
    booked.map((row) => stringAt(row, '/reference/uuid')).sort(),
    active.map((server) => stringAt(server, '/uuid')).sort(),
  );
  const spent = booked.reduce((sum, row) => sum + numberAt(row, '/amount_minor'), 0);
  const balance = success(await api.get('account/balance'));
  assert.equal(numberAt(balance, '/balance_minor'), credit - spent);
  assert.equal(at(balance, '/reserved'), 0);
}
