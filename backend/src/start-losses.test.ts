// Needs: database

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../test/database.ts';
import { isComplete, sampleOf } from '../test/sample.ts';
import { type Config, ConfigError, parseCommandLine } from './config.ts';
import { throughLosses } from './db/reachable.ts';
import { fillDemo } from './demo.ts';
import { openInstallation } from './installation.ts';
import { serve, workAlone } from './serve.ts';

const database = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'hostkeep-start-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});
const target = new pg.Client({ connectionString: database.url });

/** A way to the database that ends all connections at the message `cutAt`, and takes the next one only to end it. */
const way = { sent: 0, cutAt: Number.POSITIVE_INFINITY, away: false, cuts: 0 };
const sockets = new Set<Socket>();
const proxy = createServer((client) => {
  if (way.away) {
    way.away = false;
    client.destroy();
    return;
  }
  const upstream = target.host.startsWith('/')
    ? connect(`${target.host}/.s.PGSQL.${target.port}`)
    : connect(target.port, target.host);
  for (const socket of [client, upstream]) {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      client.destroy();
      upstream.destroy();
    });
  }
  client.on('data', (bytes) => {
    way.sent += 1;
    if (way.sent === way.cutAt) {
      way.cuts += 1;
      way.away = true;
      for (const socket of sockets) socket.destroy();
    } else upstream.write(bytes);
  });
  upstream.on('data', (bytes) => client.write(bytes));
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
after(() => proxy.close());

function configOf(change: (url: URL) => void = () => {}): Config {
  const url = new URL('postgres://127.0.0.1');
  url.port = String((proxy.address() as AddressInfo).port);
  url.username = encodeURIComponent(target.user ?? '');
  url.password = encodeURIComponent(typeof target.password === 'string' ? target.password : '');
  url.pathname = target.database ?? '';
  change(url);
  return parseCommandLine([], {
    DATABASE_URL: url.href,
    HOSTKEEP_DATA: join(folder, 'data'),
    HOSTKEEP_PORT: '0',
    HOSTKEEP_SANDBOX_DNS: 'off',
    HOSTKEEP_LOG_LEVEL: 'silent',
  }).config;
}

async function startAsServe(): Promise<void> {
  const installation = await openInstallation(configOf(), 'api', { waits: true, serves: true });
  try {
    await throughLosses(installation, () => fillDemo(installation));
    await (await serve(installation, [])).stop({ atOnce: true });
  } finally {
    await installation.close();
  }
}

async function startAsWorker(): Promise<void> {
  const installation = await openInstallation(configOf(), 'worker', { waits: true });
  try {
    await (await workAlone(installation, [])).stop();
  } finally {
    await installation.close();
  }
}

for (const [name, start] of Object.entries({ serve: startAsServe, worker: startAsWorker })) {
  test(`a ${name} that loses the database at any message of its start waits for it, and starts`, async () => {
    await start(); // the first one makes keys
    way.sent = 0;
    await start();
    const messages = way.sent;
    assert.ok(messages > 10, `${messages} messages`);
    const all = Array.from({ length: messages }, (_, index) => String(index + 1));
    const points = isComplete ? all : sampleOf(all, 6);
    way.cuts = 0;
    for (const cutAt of points) {
      Object.assign(way, { sent: 0, cutAt: Number(cutAt), away: false });
      await start();
    }
    // Statements that are sent together come as one message or as two: the last points may not be reached.
    assert.ok(way.cuts * 2 >= points.length, `${way.cuts} of ${points.length} starts were cut off`);
    way.cutAt = Number.POSITIVE_INFINITY;
  });
}

test('a database that refuses us is not waited for: the reason is one sentence', async () => {
  const refusals = [
    {
      change: (url: URL) => (url.pathname = '/nowhere'),
      reason: /^the database of DATABASE_URL refuses us: it has no such database/,
    },
    {
      change: (url: URL) => (url.username = 'stranger'),
      reason: /^the database of DATABASE_URL refuses us: /,
    },
  ];
  for (const { change, reason } of refusals) {
    const config = configOf((url) => void change(url));
    await assert.rejects(openInstallation(config, 'api', { waits: true }), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, reason);
      return true;
    });
  }
});
