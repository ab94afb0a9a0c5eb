// Slow: 11 s

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../backend/src/main.ts', import.meta.url));
const LIMIT_MS = 240_000;

const directory = await mkdtemp(join(tmpdir(), 'hostkeep-start-'));
await chmod(directory, 0o711); // for the database server's user, when this is root
after(() => rm(directory, { recursive: true, force: true }));
const data = join(directory, 'data');

const taken = createServer();
await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
after(() => taken.close());
const bound = taken.address();
const port = bound === null || typeof bound === 'string' ? 0 : bound.port;

/** A program of its own, from its start to its end. */
async function run(args: readonly string[], { imports = '', onPrinted = (_: string) => {} } = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(HOSTKEEP_|DATABASE_)/.test(name));
  const preload = imports === '' ? [] : ['--import', `data:text/javascript,${encodeURIComponent(imports)}`];
  const child = spawn(process.execPath, [...preload, MAIN, 'serve', '--no-demo', '--data', data, ...args], {
    env: { ...Object.fromEntries(inherited), HOSTKEEP_SANDBOX_DNS: 'off' },
  });
  const late = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', onPrinted);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on('close', (...ended) => resolve(ended)),
  );
  clearTimeout(late);
  return { code, signal, complaints };
}

/** The embedded server removes it when it stops. */
const databaseRuns = () => existsSync(join(data, 'postgres', 'cluster', 'postmaster.pid'));

test('serve that cannot listen says why in one sentence, ends with a status, and leaves no database running', async () => {
  const places = [
    { args: ['--port', String(port)], reason: /the port is taken/ },
    {
      args: ['--listen', '192.0.2.1', '--port', '0', '--public-playground', 'yes'],
      reason: /does not have that address/,
    },
  ];
  for (const { args, reason } of places) {
    const { code, signal, complaints } = await run(args);
    assert.deepEqual([code, signal], [2, null], complaints);
    assert.match(complaints, reason);
    const [sentence] = complaints.split('\n').filter((line) => line.startsWith('hostkeep serve:'));
    assert.match(sentence ?? '', /cannot be listened on/);
    assert.doesNotMatch(complaints, /\n\s+at /);
    assert.equal(databaseRuns(), false);
  }
});

test('serve that strangers can reach refuses to start while the demo is open, in words, and with status 2', async () => {
  const { code, complaints } = await run(['--listen', '0.0.0.0', '--port', '0']);
  assert.equal(code, 2, complaints);
  assert.match(
    complaints,
    /strangers can reach this installation.*sandbox VAT check.*--public-playground yes/s,
  );
  assert.doesNotMatch(complaints, /\n\s+at /);
  assert.equal(databaseRuns(), false);
});

test('what nothing caught is logged once with its stack, and the process stops in order, with status 1', async () => {
  for (const fault of ['throw new Error("injected")', 'Promise.reject(new Error("injected"))']) {
    const imports = `process.on('SIGUSR2', () => { ${fault}; });`;
    const ready = Promise.withResolvers<void>();
    let child = 0;
    const ended = run(['--port', '0'], {
      imports: `${imports} console.log('pid ' + process.pid);`,
      onPrinted: (text) => {
        child = Number(/pid (\d+)/.exec(text)?.[1] ?? child);
        if (text.includes('Hostkeep is ready')) ready.resolve();
      },
    });
    await Promise.race([ready.promise, ended]);
    process.kill(child, 'SIGUSR2');
    const { code, signal, complaints } = await ended;
    assert.deepEqual([code, signal], [1, null], complaints);
    const logged = complaints.split('\n').filter((line) => line.includes('nothing caught this'));
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? '', /injected.*\\n\s+at /);
    assert.match(complaints, /an error that nothing caught: stopping/);
    assert.equal(databaseRuns(), false);
  }
});
