// Slow: 8 s

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import pg from 'pg';
import { startTemporaryServer } from '../../test/server.ts';
import { until } from '../../test/until.ts';
import { type Host, parseDatabaseAddress } from './address.ts';
import { clientTo, NoSuitableServer } from './connection.ts';
import { APPLICATION_ROLE, migrate } from './migrate.ts';
import { Pool } from './pool.ts';
import { sqlState, transaction } from './transaction.ts';

const one = await startTemporaryServer({ cluster_name: 'one' });
const two = await startTemporaryServer({ cluster_name: 'two' });
await migrate(one.url);
await migrate(two.url);
const hostsOf = (url: string) => parseDatabaseAddress(url)?.hosts ?? [];
const servers = [...hostsOf(one.url), ...hostsOf(two.url)];
/** The servers listed as hosts of one address; one and two differ only in where they listen. */
const listed = (hosts: readonly Host[], attribute: string) =>
  `postgres://hostkeep@/hostkeep?host=${hosts.map(({ host }) => encodeURIComponent(host)).join(',')}&port=${hosts.map((host) => host.port).join(',')}&target_session_attrs=${attribute}`;
const both = (attribute: string) => listed(servers, attribute);
const pool = new Pool({ url: both('read-write'), size: 2, name: 'both', role: APPLICATION_ROLE });
after(async () => {
  await pool.end();
  await Promise.all([one.stop(), two.stop()]);
});

/** Makes a server take no writes, or take them again, on connections made from now on and on those that are there. */
async function reads(url: string, only: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${only ? 'on' : 'off'}`);
    await client.query('SELECT pg_reload_conf()');
  } finally {
    await client.end();
  }
  await until(
    async () => {
      const asking = new pg.Client({ connectionString: url });
      await asking.connect();
      const { rows } = await asking.query<{ default_transaction_read_only: string }>(
        'SHOW default_transaction_read_only',
      );
      await asking.end();
      return (rows[0]?.default_transaction_read_only === 'on') === only ? true : null;
    },
    () => 'the server does not change',
    5,
  );
}

const NAME = "SELECT current_setting('cluster_name') AS name";
const connected = async () => (await pool.pg.query<{ name: string }>(NAME)).rows[0]?.name;
const write = (name: string) =>
  transaction(pool, async (tx) => {
    await tx.kysely
      .insertInto('settings')
      .values({ name, value: 'true', updated_at: Temporal.Instant.from('2027-01-01T00:00:00Z') })
      .execute();
  });

test('connections go to the server that writes, and follow when that role moves', async () => {
  await reads(two.url, true);
  await write('first');
  assert.equal(await connected(), 'one');
  await reads(two.url, false);
  await reads(one.url, true);
  // Connections that are there notice with their next write, and are not used again.
  await until(
    async () =>
      write('second').then(
        () => true,
        (error: unknown) => {
          // A write on an old connection, or a new one to the server that was right a moment ago.
          assert.ok(['25006', '08001'].includes(sqlState(error) ?? ''), String(error));
          return null;
        },
      ),
    () => 'writes do not come back',
    5,
  );
  assert.equal(await connected(), 'two');
  const single = clientTo(both('read-write'));
  await single.connect();
  assert.equal((await single.query<{ name: string }>(NAME)).rows[0]?.name, 'two');
  await single.end();
});

test('a server that takes connections and says nothing keeps no other from being found', async () => {
  const mute = createServer((socket) => socket.on('error', () => {}));
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  const { port: silent } = mute.address() as { port: number };
  const client = clientTo(listed([{ host: '127.0.0.1', port: silent }, ...hostsOf(two.url)], 'any'));
  await client.connect();
  assert.equal((await client.query<{ one: number }>('SELECT 1 AS one')).rows[0]?.one, 1);
  await client.end();
  mute.close();
});

test('where no server does what is asked of it, the error names each with its reason', async () => {
  await reads(one.url, true);
  await reads(two.url, true);
  await assert.rejects(clientTo(both('read-write')).connect(), (error: unknown) => {
    assert.ok(error instanceof NoSuitableServer);
    for (const { host } of servers) assert.ok(error.message.includes(host));
    return true;
  });
  const any = clientTo(both('primary'));
  await any.connect();
  await any.end();
});
