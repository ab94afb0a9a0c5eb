/**
 * Runs the tests: `node scripts/test.ts [part of a path…]`. The last line is `N passed, N failed`, and the exit status
 * 1 when anything failed. With CI=true a test without a verdict (skipped, todo) is a failure.
 */
import { chmod, glob, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { startEmbeddedPostgres } from '../backend/src/db/embedded.ts';
import { type FileResult, runTestFile } from './test-file.ts';
import { leftInServer, stopServersBelow } from './test-server.ts';

const ROOT = join(import.meta.dirname, '..');
const PLACES = [
  'acceptance/**/*.test.ts',
  'simulate/**/*.test.ts',
  'backend/src/**/*.test.ts',
  'backend/test/**/*.test.ts',
];
// Against what hangs: machines differ by a factor of ten.
const LIMIT_MS = 300_000;
const LONG_LIMIT_MS = 1_800_000;
/** For all of them. Whoever waits for longer is told what was not done, rather than nothing. */
const WHOLE_LIMIT_MS = 4_500_000;
/** Whole programs, machines, browsers and years take longer than one part of them. */
const LONG =
  /^(acceptance|simulate)|\/webserver\/linux\/|\/hypervisor\/(qemu|proxmox)\/|every-operation|inputs\.property|browser|killed-/;
/** Hundreds of databases of a thousand files each are made and removed: in memory that is a tenth of the work. */
const MEMORY = '/dev/shm';
const ENOUGH_MEMORY = 8 * 1024 ** 3;
const STRICT = process.env.CI === 'true';

const files = await matching(process.argv.slice(2));
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

let passed = 0;
const failed: string[] = [];
if (files.length === 0) failed.push('no test file has a path like that');
else await runAll();
if (failed.length > 0) console.log(`\nFailed:\n${failed.map((line) => `  ${line}`).join('\n')}\n`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** One server for all, and one directory for everything temporary, which goes with all that is left in it. */
async function runAll(): Promise<void> {
  const directory = await temporary(tmpdir());
  const databases = (await hasMemory()) ? await temporary(MEMORY) : directory;
  try {
    process.env.TMPDIR = directory;
    // Hundreds of processes load the same files: what the first has compiled, the others find.
    process.env.NODE_COMPILE_CACHE ??= join(directory, 'compiled');
    const server = await startEmbeddedPostgres({
      dataDir: join(databases, 'server'),
      durable: false,
      settings: { max_connections: '300' },
      log: { info: () => {}, error: (line) => failed.push(line) },
    });
    process.env.HOSTKEEP_TEST_POSTGRES = server.url;
    try {
      await runInTime();
      if (!interrupted.signal.aborted)
        failed.push(...(await leftInServer(server.url)).map((line) => `left: ${line}`));
    } finally {
      await server.stop();
    }
  } finally {
    const left = await stopServersBelow(directory);
    if (!interrupted.signal.aborted) failed.push(...left.map((line) => `left running: ${line}`));
    for (const one of [directory, databases]) await rm(one, { recursive: true, force: true, maxRetries: 20 });
  }
}

async function temporary(parent: string): Promise<string> {
  const directory = await mkdtemp(join(parent, 'hostkeep-test-'));
  await chmod(directory, 0o711); // for the server's user, when this is root
  return directory;
}

async function hasMemory(): Promise<boolean> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ENOUGH_MEMORY;
}

/** From both ends: beside one that is long, which mostly waits for its machine or its browser, the short ones go on. */
async function runInTime(): Promise<void> {
  const waiting = files.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  const timer = setTimeout(() => {
    failed.push(`not done within ${WHOLE_LIMIT_MS / 60_000} minutes: ${waiting.length} files were not begun`);
    interrupted.abort();
  }, WHOLE_LIMIT_MS);
  await Promise.all([runEach(() => waiting.shift()), runEach(() => waiting.pop())]);
  clearTimeout(timer);
}

async function runEach(next: () => string | undefined): Promise<void> {
  for (let file = next(); file !== undefined && !interrupted.signal.aborted; file = next()) {
    const limit = isLong(file) ? LONG_LIMIT_MS : LIMIT_MS;
    report(await runTestFile(file, limit, interrupted.signal));
  }
}

function isLong(file: string): boolean {
  return LONG.test(relative(ROOT, file));
}

function report(result: FileResult): void {
  const file = relative(ROOT, result.file).replaceAll('\\', '/');
  const undecided = result.undecided.map((test) => `${file}: ${test} (no verdict)`);
  const failures = [
    ...result.failures.map(({ test }) => (test === undefined ? file : `${file}: ${test}`)),
    ...(STRICT ? undecided : []),
  ];
  passed += result.passed;
  failed.push(...failures);
  const counts = [
    `${result.passed} passed`,
    ...(result.failures.length > 0 ? [`${result.failures.length} failed`] : []),
    ...(undecided.length > 0 ? [`${undecided.length} without verdict`] : []),
  ];
  const lines = [
    `${failures.length > 0 ? 'FAILED' : 'ok    '} ${file}  ${counts.join(', ')}  ${result.seconds.toFixed(1)} s`,
  ];
  for (const { test, detail } of result.failures) lines.push('', indented(`${test ?? file}\n${detail}`));
  if (failures.length > 0) lines.push(...undecided.map((line) => `       ${line}`));
  else lines.push(...result.undecided.map((test) => `       no verdict: ${test}`));
  if (result.failures.length > 0 && result.output !== '')
    lines.push('', indented(`printed:\n${result.output}`));
  console.log(lines.join('\n') + (result.failures.length > 0 ? '\n' : ''));
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '       ');
}

/** All test files, or those whose path holds one of the words; in the order of their paths. */
async function matching(words: string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob(PLACES, { cwd: ROOT, exclude: ['**/node_modules/**'] })) {
    const plain = path.replaceAll('\\', '/');
    if (words.length === 0 || words.some((word) => plain.includes(word.replace(/^\.\//, ''))))
      found.push(plain);
  }
  return found.sort().map((path) => join(ROOT, path));
}
