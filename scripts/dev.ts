/**
 * The program with its demo, started anew whenever one of its files changes: `npm run dev [-- arguments of serve…]`. The
 * embedded database goes on meanwhile, for this process uses it too.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { createLog } from '../backend/src/base/log.ts';
import { command } from '../backend/src/commands/serve.ts';
import { type Config, parseCommandLine } from '../backend/src/config.ts';

import { type EmbeddedPostgres, startEmbeddedPostgres } from '../backend/src/db/embedded.ts';

import { untilStopped } from '../backend/src/signals.ts';

const SOURCE = join(import.meta.dirname, '../backend/src');
const MAIN = join(SOURCE, 'main.ts');
/** Editors and git write many files one after the other. */
const SETTLED_MS = 150;
const PART_OF_THE_PROGRAM = /(?<!\.test|\.tmp)\.(ts|sql|yaml|json|js|css|html)$/;

const args = process.argv.slice(2);
const { config } = parseCommandLine(args, process.env, command.flags);
const database = config.databaseUrl === undefined ? await embedded(config) : undefined;
const compiled = join(import.meta.dirname, '../node_modules/.cache/hostkeep/compiled');

let program: ChildProcess = start();
let turn: Promise<void> = Promise.resolve();
let settled: NodeJS.Timeout | undefined;
const watcher = watch(SOURCE, { recursive: true }, (_, file) => {
  if (file === null || !PART_OF_THE_PROGRAM.test(file)) return;
  clearTimeout(settled);
  settled = setTimeout(() => {
    console.log(`${file} changed: starting again`);
    turn = turn.then(async () => {
      await end();
      program = start();
    });
  }, SETTLED_MS);
});

await untilStopped(createLog('info'));
watcher.close();
clearTimeout(settled);
await turn;
await end();
await database?.stop();

async function embedded({ data }: Config): Promise<EmbeddedPostgres> {
  const dataDir = resolve(data);
  mkdirSync(dataDir, { recursive: true });
  return await startEmbeddedPostgres({ dataDir });
}

function start(): ChildProcess {
  const child = spawn(process.execPath, [MAIN, 'serve', ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiled },
    stdio: 'inherit',
  });
  child.once('exit', (status) => {
    if (status !== 0 && status !== null) console.log('It waits for a change.');
  });
  return child;
}

/** As an operator would: what it is doing is done or left whole. A second Ctrl-C reaches it from the terminal. */
async function end(): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const exit = once(program, 'exit');
  program.kill('SIGTERM');
  await exit;
}
