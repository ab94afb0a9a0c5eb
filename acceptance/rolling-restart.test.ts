// Slow: 70 s

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Api } from './api.ts';
import { cheapestPackage, licenseOrder } from './catalogue.ts';
import { everyEntry, newCustomer } from './customer.ts';
import { newDatabase } from './database.ts';
import { HaProxy } from './haproxy.ts';
import { attached, NO_RATE_LIMIT, temporaryDirectory } from './installation.ts';
import { stringAt } from './json.ts';
import { Operator } from './operator.ts';
import { type Running, type Settings, serve } from './program.ts';

const SLOTS = ['first', 'second'];
const ROUNDS = 2;
const CLIENTS = 4;
const CREDIT = 50_000_000;
/** Far longer than HAProxy's checks take, even on a machine that stands still for seconds in between. */
const DRAIN_SECONDS = '8';

// An installation that runs elsewhere is not ours to restart.
if (!attached()) {
  const directory = await temporaryDirectory();
  const database = await newDatabase();
  const settings: Settings = {
    ...NO_RATE_LIMIT,
    HOSTKEEP_DATA: join(directory, 'data'),
    HOSTKEEP_KEY_FILE: join(directory, 'key'),
    HOSTKEEP_PUBLIC_URL: 'http://hosting.example',
    HOSTKEEP_PUBLIC_PLAYGROUND: 'yes',
    HOSTKEEP_DRAIN_SECONDS: DRAIN_SECONDS,
    ...(database ? { DATABASE_URL: database.url } : {}),
  };
  const processes = new Map<string, Running>();
  const proxy = await HaProxy.start(directory, SLOTS);
  after(async () => {
    await proxy.stop();
    await Promise.all([...processes.values()].map((running) => running.stop()));
    await database?.drop();
    await rm(directory, { recursive: true, force: true });
  });
  async function start(slot: string): Promise<Running> {
    const running = await serve(['--no-worker'], settings);
    processes.set(slot, running);
    await proxy.use(slot, running.address);
    return running;
  }

  test('processes that restart one after the other behind HAProxy refuse nothing, and each order is there once', async () => {
    // The first start fills the database.
    const bases = [];
    for (const slot of SLOTS) bases.push((await start(slot)).address);
    const direct = new Api(bases, null);
    const { api } = await newCustomer(direct, new Operator([], settings), CREDIT);
    const order = licenseOrder(await cheapestPackage(api));
    const ordered: string[] = [];
    const failures: string[] = [];
    let isOver = false;

    async function client(): Promise<void> {
      // Connections are kept, as those of a customer's program are.
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        while (!isOver) {
          const license = await sent(agent, 'POST', 'panel/order', order, randomUUID());
          if (license !== null) ordered.push(stringAt(license, '/data/license_uuid'));
          await sent(agent, 'GET', 'panel/packages');
          await sent(agent, 'GET', 'account/balance');
          await sent(agent, 'GET', 'panel/list', { per_page: 5 });
        }
      } finally {
        agent.destroy();
      }
    }

    /** Sends once; null where the answer is not a success. */
    function sent(agent: Agent, method: string, path: string, json?: object, key?: string) {
      return new Promise<ReturnType<typeof JSON.parse>>((resolve) => {
        const fail = (what: string) => {
          failures.push(`${method} ${path}: ${what}`);
          resolve(null);
        };
        const body = json === undefined ? '' : JSON.stringify(json);
        const sending = request({
          socketPath: proxy.entrance,
          agent,
          method,
          path: `/api/v2/${path}`,
          headers: {
            host: 'hosting.example',
            authorization: `Bearer ${api.token}`,
            ...(json && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
            ...(key && { 'idempotency-key': key }),
          },
        });
        sending.on('error', (error) => fail(error.message));
        sending.on('response', (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          answer.on('error', (error) => fail(error.message));
          answer.on('end', () => {
            if (answer.statusCode === 200) resolve(JSON.parse(text));
            else fail(`${answer.statusCode} ${text.slice(0, 200)}`);
          });
        });
        sending.end(body);
      });
    }

    const clients = Array.from({ length: CLIENTS }, client);
    try {
      for (let round = 0; round < ROUNDS; round++) {
        for (const slot of SLOTS) {
          await processes.get(slot)?.stop();
          await start(slot);
        }
      }
    } finally {
      isOver = true;
      await Promise.all(clients);
    }

    assert.deepEqual(failures.slice(0, 10), [], `${failures.length} requests failed`);
    assert.ok(ordered.length > 0);
    const now = new Api(
      [...processes.values()].map(({ address }) => address),
      api.token,
    );
    const licenses = await everyEntry(now, 'panel/list', 'licenses');
    assert.deepEqual(licenses.map((license) => stringAt(license, '/uuid')).sort(), ordered.sort());
    const debits = await everyEntry(now, 'account/transactions', 'transactions', {
      type: 'order',
      direction: 'debit',
    });
    assert.equal(debits.length, ordered.length, 'each is paid once');
  });
}
