// Slow: 9 s

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import pg from 'pg';
import { lossyProxy } from '../../test/lossy-proxy.ts';
import { startTemporaryServer } from '../../test/server.ts';
import { until } from '../../test/until.ts';
import { WRITE_MARKER } from './commit-marker.ts';
import { APPLICATION_ROLE, migrate } from './migrate.ts';
import { Pool } from './pool.ts';
import { Settlement } from './settlement.ts';
import { CommitUnknown, TransactionAborted, transaction } from './transaction.ts';

// As a server that standbys could follow, so that a commit can be made to wait for one.
const server = await startTemporaryServer({ wal_level: 'replica', max_wal_senders: '2' });
await migrate(server.url);
const proxy = await lossyProxy(server.url);
const open: { end(): Promise<void> }[] = [];
after(async () => {
  for (const one of open) await one.end();
  await server.stop();
});

/** Longer than any pause of a busy machine. */
const PATIENT = { settleWithinMs: 240_000 };
const poolOf = (options: { settleWithinMs: number; synchronousCommit?: boolean; size?: number }) => {
  const pool = new Pool({ url: proxy.url, size: 2, name: 'settled', role: APPLICATION_ROLE, ...options });
  open.push(pool);
  return pool;
};
async function connected(options = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url, options });
  client.on('error', () => {});
  await client.connect();
  return client;
}
/** Runs something on a connection of its own. */
async function directly<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = await connected();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

const MOMENT = '2027-01-01T00:00:00Z';
const INSERT = "INSERT INTO settings (name, value, updated_at) VALUES ($1, 'true', $2)";
const write = (pool: Pool, name: string) =>
  transaction(pool, async (tx) => {
    await tx.kysely
      .insertInto('settings')
      .values({ name, value: 'true', updated_at: Temporal.Instant.from(MOMENT) })
      .execute();
    return name;
  });
const exists = async (name: string) =>
  (await directly('SELECT FROM settings WHERE name = $1', [name])).length > 0;

test('what a crash took is not believed to be committed because another transaction got its id', async () => {
  const pool = poolOf({ ...PATIENT, synchronousCommit: false });
  await write(pool, 'before');
  // The log's writer stands still, so that the next commit is in the server's memory only when all of it is killed.
  const [writer] = await directly<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'",
  );
  assert.ok(writer);
  process.kill(writer.pid, 'SIGSTOP');
  const backends = await directly<{ pid: number }>('SELECT pid FROM pg_stat_activity');
  let xid = '';
  Object.assign(proxy.state, { lose: 'after', closesThen: true });
  const outcome = transaction(pool, async (tx) => {
    await tx.kysely
      .insertInto('settings')
      .values({ name: 'taken', value: 'true', updated_at: Temporal.Instant.from(MOMENT) })
      .execute();
    const [row] = await tx.run<{ xid: string }>(
      { name: 'own_xid', text: 'SELECT pg_current_xact_id()::text AS xid' },
      [],
    );
    xid = row?.xid ?? '';
  });
  const settled = outcome.then(
    () => 'committed' as const,
    (error: unknown) => error,
  );
  await until(
    async () => (proxy.state.closed ? true : null),
    () => 'COMMIT was not sent',
    5,
  );
  const postmaster = server.pid;
  process.kill(postmaster, 'SIGKILL');
  for (const { pid } of backends) if (pid !== postmaster) killed(pid);
  await until(
    async () => ((await directly('SELECT 1').catch(() => [])).length > 0 ? true : null),
    () => 'the server does not come back',
    20,
  );
  assert.ok(!(await exists('taken')), 'the crash took it');
  // Others commit until one of them has been given the same id: the server then says that it was committed.
  await until(
    async () => {
      const [row] = await directly<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid');
      return BigInt(row?.xid ?? 0) >= BigInt(xid) ? true : null;
    },
    () => 'the id is not given again',
    0,
  );
  const [status] = await directly<{ status: string }>('SELECT pg_xact_status($1::xid8) AS status', [xid]);
  assert.equal(status?.status, 'committed', 'the trap is there');
  Object.assign(proxy.state, { closed: false, closesThen: false });
  assert.ok((await settled) instanceof TransactionAborted);
  assert.ok(!(await exists('taken')));
});

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {} // it ended by itself
}

for (const first of [true, false])
  for (const end of ['COMMIT', 'ROLLBACK'] as const)
    test(`a transaction that still runs is waited for: ${end}${first ? ', the first of its connection' : ''}`, async () => {
      const marker = { slot: randomUUID(), marker: randomUUID() };
      const running = await connected();
      try {
        if (!first) await running.query(WRITE_MARKER.text, [marker.slot, randomUUID()]);
        await running.query('BEGIN');
        await running.query(WRITE_MARKER.text, [marker.slot, marker.marker]);
        const settlement = new Settlement({
          url: server.url,
          withinMs: 240_000,
        });
        const settling = settlement.settle(marker);
        await until(
          async () => ((await directly('SELECT FROM pg_locks WHERE NOT granted')).length > 0 ? true : null),
          () => 'the settlement does not wait',
          5,
        );
        await running.query(end);
        assert.equal(await settling, end === 'COMMIT' ? 'committed' : 'rolled_back');
      } finally {
        await running.end();
      }
    });

test('a commit that no standby has confirmed is not told as committed, although its row is there', async () => {
  await directly("ALTER SYSTEM SET synchronous_standby_names = 'absent'");
  await directly('SELECT pg_reload_conf()');
  const marker = { slot: randomUUID(), marker: randomUUID() };
  const durable = '-c synchronous_commit=on'; // which the tests' server does without
  const client = await connected(durable);
  const [backend] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
  await client.query('BEGIN');
  await client.query(WRITE_MARKER.text, [marker.slot, marker.marker]);
  await client.query(INSERT, ['unconfirmed', MOMENT]);
  const committing = client.query('COMMIT').catch((error: Error) => error);
  await until(
    async () => {
      const waiting = "SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'";
      return (await directly(waiting, [backend?.pid])).length > 0 ? true : null;
    },
    () => 'COMMIT does not wait for a standby',
    5,
  );
  await directly('SELECT pg_terminate_backend($1)', [backend?.pid]);
  assert.ok((await committing) instanceof Error);
  await until(
    async () => ((await exists('unconfirmed')) ? true : null),
    () => 'its row is not there',
    5,
  );
  const within = (withinMs: number) =>
    new Settlement({ url: server.url, connection: { options: durable }, withinMs });
  assert.equal(await within(1_000).settle(marker), 'unknown');
  await directly('ALTER SYSTEM RESET synchronous_standby_names');
  await directly('SELECT pg_reload_conf()');
  assert.equal(await within(240_000).settle(marker), 'committed');
});

test('fifty COMMITs without an answer, while the database is away, hold no connection of the pool', async () => {
  const pool = poolOf({ settleWithinMs: 1_500, size: 50 });
  const names = Array.from({ length: 50 }, (_, index) => `fifty-${index}`);
  let ready = 0;
  const all = Promise.withResolvers<void>();
  Object.assign(proxy.state, { lose: 'before', times: 50, closesThen: true });
  const answers = await Promise.allSettled(
    names.map((name) =>
      transaction(pool, async (tx) => {
        await tx.kysely
          .insertInto('settings')
          .values({ name, value: 'true', updated_at: Temporal.Instant.from(MOMENT) })
          .execute();
        ready += 1;
        if (ready === names.length) all.resolve();
        await all.promise; // so that all are in their COMMIT together
      }),
    ),
  );
  assert.deepEqual(
    [...new Set(answers.map((one) => (one.status === 'rejected' ? one.reason.constructor : 'done')))],
    [CommitUnknown],
  );
  Object.assign(proxy.state, { closed: false, closesThen: false, lose: null });
  assert.equal(await write(pool, 'afterwards'), 'afterwards');
});

test('of many lost COMMITs only so many are asked for at once, and all within the one limit', async () => {
  let underWay = 0;
  let most = 0;
  const sockets = new Set<Socket>();
  // Takes connections and says nothing, as a server that hangs.
  const mute = createServer((socket) => {
    sockets.add(socket);
    most = Math.max(most, ++underWay);
    socket.on('error', () => {}).on('close', () => underWay--);
  });
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  const { port } = mute.address() as { port: number };
  const settlement = new Settlement({
    url: `postgres://u@127.0.0.1:${port}/d`,
    withinMs: 500,
    atOnce: 3,
  });
  const lost = Array.from({ length: 20 }, () => ({ slot: randomUUID(), marker: randomUUID() }));
  const settled = await Promise.all(lost.map((marker) => settlement.settle(marker)));
  for (const socket of sockets) socket.destroy();
  mute.close();
  assert.deepEqual(new Set(settled), new Set(['unknown']));
  assert.ok(most <= 6, `${most} at once`); // one that has just been given up may still be open
});

test('a statement that the server does not answer fails after its limit, and its connection is replaced', async () => {
  const pool = new Pool({
    url: server.url,
    size: 1,
    name: 'frozen',
    role: APPLICATION_ROLE,
    statementTimeoutMs: 500,
  });
  open.push(pool);
  const { rows } = await pool.pg.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const frozen = rows[0]?.pid ?? 0;
  process.kill(frozen, 'SIGSTOP');
  try {
    await assert.rejects(pool.pg.query('SELECT 1'), { message: 'Query read timeout' });
    const again = await pool.pg.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    assert.notEqual(again.rows[0]?.pid, frozen);
  } finally {
    process.kill(frozen, 'SIGCONT');
  }
});
