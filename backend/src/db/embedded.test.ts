// Slow: 20 s

import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { isRunning } from './embedded/os-process.ts';
import { isRoot } from './embedded/os-user.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

const MODULE = new URL('./embedded.ts', import.meta.url).href;

/** Runs after the test, the last said first. */
function afterwards(t: TestContext, undo: () => unknown): void {
  const all = undoing.get(t) ?? [];
  if (all.length === 0) {
    undoing.set(t, all);
    t.after(async () => {
      for (const one of all.reverse()) await one();
    });
  }
  all.push(undo);
}

const undoing = new WeakMap<TestContext, (() => unknown)[]>();

/** A new data directory that the server's user can reach, removed after the test with all that was started there. */
async function newDirectory(t: TestContext, ...below: string[]): Promise<string> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'hostkeep-')));
  await chmod(top, 0o711);
  const dataDir = join(top, ...below);
  afterwards(t, async () => {
    const home = await realpath(join(dataDir, 'postgres')).catch(() => top);
    const pid = Number.parseInt(await postmasterPid(dataDir).catch(() => ''), 10);
    if (pid > 0 && isRunning(pid)) process.kill(pid, 'SIGKILL');
    for (const path of [home, top]) await rm(path, { recursive: true, force: true, maxRetries: 10 });
  });
  return dataDir;
}

/** The same with a copy of a cluster that was used before, which takes a tenth of the time of a new one. */
async function usedDirectory(t: TestContext, ...below: string[]): Promise<string> {
  const dataDir = await newDirectory(t, ...below);
  await mkdir(dataDir, { recursive: true });
  await promisify(execFile)('cp', ['-a', await used, dataDir]);
  return dataDir;
}

/** Made in a directory that goes when the process ends. */
async function makeUsed(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hostkeep-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  await chmod(dataDir, 0o711);
  await (await startEmbeddedPostgres({ dataDir, durable: false })).stop();
  return join(dataDir, 'postgres');
}

const used = makeUsed();

async function start(t: TestContext, dataDir: string, more: object = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, durable: false, ...more });
  afterwards(t, () => server.stop());
  return server;
}

/** Another process that starts the server, and stops it and ends when told by SIGINT. */
async function startElsewhere(
  t: TestContext,
  dataDir: string,
): Promise<{ process: ChildProcess; pid: number }> {
  const child = spawnElsewhere(t, dataDir);
  for await (const line of createInterface(child.stdout)) return { process: child, pid: Number(line) };
  throw new Error('it started no server');
}

function spawnElsewhere(t: TestContext, dataDir: string) {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(MODULE)};
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
    process.on('SIGINT', async () => { clearInterval(alive); await server.stop(); });
    const alive = setInterval(() => {}, 60_000);
    console.log(server.pid);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    detached: true, // with a process group of its own, as in a terminal
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterwards(t, () => child.kill('SIGKILL'));
  return child;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // its query fails too
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(5);
}

const COUNTING = `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT count%'`;

const postmasterPid = (dataDir: string) => readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8');

test('what was committed is there after a stop and a start', async (t) => {
  const dataDir = await newDirectory(t);
  const first = await start(t, dataDir, { durable: true });
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  assert.equal(isRunning(first.pid), false);
  const second = await start(t, dataDir, { durable: true });
  assert.deepEqual(await query(second.url, 'SELECT answer FROM kept'), [42]);
});

test('a production server writes everything to disk, sorts the same everywhere, and lives in UTC', async (t) => {
  const server = await start(t, await usedDirectory(t), { durable: true, settings: { work_mem: '5MB' } });
  const names = [
    'fsync',
    'synchronous_commit',
    'full_page_writes',
    'jit',
    'TimeZone',
    'server_encoding',
    'work_mem',
  ];
  const shown = names.map((name) => `current_setting('${name}')`).join();
  assert.deepEqual(await query(server.url, `SELECT ${shown}`), [
    'on',
    'on',
    'on',
    'off',
    'UTC',
    'UTF8',
    '5MB',
  ]);
  assert.deepEqual(
    await query(
      server.url,
      'SELECT datname, datlocprovider, datlocale FROM pg_database WHERE datname = current_database()',
    ),
    ['hostkeep', 'b', 'C.UTF-8'],
  );
});

test('nobody but its user and root can enter the directory of the server', async (t) => {
  const dataDir = await usedDirectory(t);
  await start(t, dataDir);
  const modes = ['postgres', 'postgres/cluster', 'postgres/log', 'postgres/tenants'].map(
    async (name) => (await stat(join(dataDir, name))).mode & 0o007,
  );
  assert.deepEqual(await Promise.all(modes), [0, 0, 0, 0]);
  assert.equal((await stat(join(dataDir, 'postgres/password'))).mode & 0o777, 0o600);
});

test('a kill in the middle of initdb leaves nothing that is taken for a cluster', async (t) => {
  const dataDir = await newDirectory(t);
  const child = spawnElsewhere(t, dataDir);
  const begun = async () => {
    const names = await readdir(join(dataDir, 'postgres')).catch(() => []);
    const staging = names.find((name) => name.startsWith('initdb-'));
    return staging !== undefined && (await readdir(join(dataDir, 'postgres', staging))).includes('base');
  };
  await until(begun);
  process.kill(-(child.pid ?? 0), 'SIGKILL'); // initdb is in the same group
  await once(child, 'exit');
  assert.equal((await readdir(join(dataDir, 'postgres'))).includes('cluster'), false);
  const server = await start(t, dataDir);
  assert.deepEqual(await query(server.url, 'SELECT 1'), [1]);
  const left = (await readdir(join(dataDir, 'postgres'))).filter((name) => name.startsWith('initdb-'));
  assert.deepEqual(left, []);
});

test('a server that outlived its killed parent is joined, and stopped by whoever joined it', async (t) => {
  const dataDir = await usedDirectory(t);
  const elsewhere = await startElsewhere(t, dataDir);
  elsewhere.process.kill('SIGKILL');
  await once(elsewhere.process, 'exit');
  assert.equal(isRunning(elsewhere.pid), true);
  const server = await start(t, dataDir);
  assert.equal(server.pid, elsewhere.pid);
  assert.deepEqual(await query(server.url, 'SELECT 1'), [1]);
  await server.stop();
  assert.equal(isRunning(elsewhere.pid), false);
});

test('a server whose parent is killed while it starts is joined too', async (t) => {
  const dataDir = await usedDirectory(t);
  const child = spawnElsewhere(t, dataDir);
  const pid = async () => Number.parseInt(await postmasterPid(dataDir).catch(() => ''), 10);
  await until(async () => (await pid()) > 0);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const begun = await pid();
  const server = await start(t, dataDir);
  assert.equal(server.pid, begun);
  assert.deepEqual(await query(server.url, 'SELECT 1'), [1]);
});

test('of two processes on one data directory, the last to leave stops the server, whichever started it', async (t) => {
  const dataDir = await usedDirectory(t);
  const elsewhere = await startElsewhere(t, dataDir);
  const joined = await start(t, dataDir);
  assert.equal(joined.pid, elsewhere.pid);
  await joined.stop();
  assert.equal(isRunning(elsewhere.pid), true);
  const again = await start(t, dataDir);
  elsewhere.process.kill('SIGINT');
  await once(elsewhere.process, 'exit');
  assert.deepEqual(await query(again.url, 'SELECT 1'), [1]);
  await again.stop();
  assert.equal(isRunning(elsewhere.pid), false);
});

test('processes that start at the same instant share one server', async (t) => {
  const dataDir = await newDirectory(t);
  const [here, ...others] = await Promise.all([
    start(t, dataDir),
    startElsewhere(t, dataDir),
    startElsewhere(t, dataDir),
    start(t, dataDir),
  ]);
  assert.deepEqual(new Set(others.map((other) => other.pid)), new Set([here.pid]));
});

test("Ctrl-C in a terminal does not reach the server before its owner's stop", async (t) => {
  const dataDir = await usedDirectory(t);
  const elsewhere = await startElsewhere(t, dataDir);
  const joined = await start(t, dataDir);
  process.kill(-(elsewhere.process.pid ?? 0), 'SIGINT'); // to every process of the group, as the terminal does
  await once(elsewhere.process, 'exit');
  assert.deepEqual(await query(joined.url, 'SELECT 1'), [1]);
  assert.equal(joined.pid, elsewhere.pid);
});

test('a server that is killed is started again under the same URL, with everything committed', async (t) => {
  const dataDir = await usedDirectory(t);
  const server = await start(t, dataDir, { durable: true });
  await query(server.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const busy = query(server.url, 'SELECT count(*) FROM generate_series(1, 30000000)');
  await until(async () => (await query(server.url, COUNTING)).length === 1);
  const killed = server.pid;
  process.kill(killed, 'SIGKILL');
  await assert.rejects(busy); // its process did not see the end of the server, and had to be ended
  await until(() => server.pid !== killed);
  assert.deepEqual(await query(server.url, 'SELECT answer FROM kept'), [42]);
});

test('a process id that went to another program does not prevent the start', async (t) => {
  const dataDir = await usedDirectory(t);
  await (await start(t, dataDir)).stop();
  const cluster = join(dataDir, 'postgres/cluster');
  const { uid, gid } = await stat(cluster);
  const other = spawn('sleep', ['60'], { uid, gid });
  afterwards(t, () => other.kill());
  await once(other, 'spawn');
  await writeFile(
    join(cluster, 'postmaster.pid'),
    `${other.pid}\n${cluster}\n1\n5432\n${cluster}\n\n  1 1\nready   \n`,
  );
  const server = await start(t, dataDir);
  assert.deepEqual(await query(server.url, 'SELECT 1'), [1]);
});

test('where the path is too long for a socket, a password guards a port of the loopback address', async (t) => {
  const dataDir = await usedDirectory(t, 'd'.repeat(100));
  const server = await start(t, dataDir);
  const url = new URL(server.url);
  assert.equal(url.hostname, '127.0.0.1');
  assert.deepEqual(await query(server.url, 'SELECT 1'), [1]);
  url.password = 'wrong';
  await assert.rejects(query(url.href, 'SELECT 1'), { code: '28P01' }); // invalid_password
});

test('directory names may hold spaces, quotes and letters of any language', async (t) => {
  const dataDir = await usedDirectory(t, `it's "ñ, 100 %?#`);
  const server = await start(t, dataDir);
  assert.deepEqual(await query(server.url, 'SELECT 1'), [1]);
});

test('a server that does not start says why', async (t) => {
  const dataDir = await usedDirectory(t);
  await assert.rejects(
    startEmbeddedPostgres({ dataDir, durable: false, settings: { shared_buffers: 'plenty' } }),
    /PostgreSQL does not start in .*invalid value for parameter "shared_buffers": "plenty"/s,
  );
});

test('the cluster of another major version is refused, and left as it is', async (t) => {
  const dataDir = await usedDirectory(t);
  await (await start(t, dataDir)).stop();
  await writeFile(join(dataDir, 'postgres/cluster/PG_VERSION'), '17\n');
  await assert.rejects(startEmbeddedPostgres({ dataDir }), /made by PostgreSQL 17 .* brings 18/);
});

if (isRoot()) {
  test('under root the server is another user, with a place of its own where that user cannot pass', async (t) => {
    const dataDir = await newDirectory(t, 'private', 'hostkeep');
    await mkdir(join(dataDir, '..'), { mode: 0o700 });
    const server = await start(t, dataDir);
    const link = join(dataDir, 'postgres');
    assert.equal((await lstat(link)).isSymbolicLink(), true);
    const elsewhere = await realpath(link);
    assert.match(elsewhere, /^\/var\/lib\/hostkeep\/clusters\/[0-9a-f]{16}$/);
    assert.notEqual((await stat(join(link, 'cluster'))).uid, 0);
    assert.deepEqual(await query(server.url, 'SELECT 1'), [1]);
    await server.stop();

    await rm(link);
    await assert.rejects(startEmbeddedPostgres({ dataDir }), /once belonged to .*ln -s/);
    await symlink(elsewhere, link);
    const again = await start(t, dataDir);
    assert.deepEqual(await query(again.url, 'SELECT 1'), [1]);
  });
}
