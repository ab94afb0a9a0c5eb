// Slow: 10 s

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, glob, mkdtemp, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';

const directory = await mkdtemp(join(tmpdir(), 'dev-'));
await chmod(directory, 0o711); // for the server's user, when this is root
const dev = spawn(process.execPath, [join(import.meta.dirname, 'dev.ts'), '--port', '0'], {
  env: { PATH: process.env.PATH, HOSTKEEP_DATA: join(directory, 'data'), HOSTKEEP_SANDBOX_DNS: 'off' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const lines = createInterface(dev.stdout)[Symbol.asyncIterator]();
after(async () => {
  dev.kill('SIGKILL');
  await rm(directory, { recursive: true, maxRetries: 20 });
});

async function printed(pattern: RegExp): Promise<string> {
  for (;;) {
    const { value, done } = await lines.next();
    assert.ok(!done, `it ended without ${pattern}`);
    if (pattern.test(value)) return value;
  }
}

async function serverPid(): Promise<number> {
  const [file] = await Array.fromAsync(glob('data/postgres/**/postmaster.pid', { cwd: directory }));
  assert.ok(file !== undefined, 'no server runs');
  return Number.parseInt(await readFile(join(directory, file), 'utf8'), 10);
}

const READY = /is ready on (\S+)/;
const answers = async (line: string) => (await fetch(`${READY.exec(line)?.[1]}/healthz`)).status === 200;

test('a changed file starts the program again, on the database that goes on; a test that changed does not', async () => {
  assert.ok(await answers(await printed(READY)));
  const pid = await serverPid();
  const now = new Date();
  await utimes(join(import.meta.dirname, '../backend/src/config.test.ts'), now, now);
  await utimes(join(import.meta.dirname, '../backend/src/serve.ts'), now, now);
  assert.match(await printed(/changed/), /^serve\.ts changed/);
  assert.ok(await answers(await printed(READY)));
  assert.equal(await serverPid(), pid);
});

test('it ends as the program does, and with the database', async () => {
  const exit = once(dev, 'exit');
  const pid = await serverPid();
  dev.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});
