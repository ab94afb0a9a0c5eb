/**
 * Runs the tests: `node scripts/test.ts [--fast] [part of a path…]`. It installs the packages that these files need and
 * no others; `--fast` leaves out files that need any, or that say that they are slow. The last line is
 * `N passed, N failed`, and the exit status 1 when anything failed. With CI=true a test without a verdict (skipped,
 * todo) is a failure.
 */
import { spawnSync } from 'node:child_process';
import { chmod, glob, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { startEmbeddedPostgres } from '../backend/src/db/embedded.ts';
import { prepareCluster } from '../backend/test/prepared-cluster.ts';
import { durationsBefore, keepDurations } from './test-durations.ts';
import { type FileResult, runTestFiles } from './test-file.ts';
import { type Load, runInLanes } from './test-lanes.ts';
import { leftInServer, stopServersBelow } from './test-server.ts';
import { type Demand, demandOf } from './test-source.ts';

const ROOT = join(import.meta.dirname, '..');
const PLACES = [
  'scripts/**/*.test.ts',
  'acceptance/**/*.test.ts',
  'ha/**/*.test.ts',
  'simulate/**/*.test.ts',
  'backend/src/**/*.test.ts',
  'backend/test/**/*.test.ts',
];
// Against what hangs: machines differ by a factor of ten.
const LIMIT_MS = 300_000;
const LONG_LIMIT_MS = 1_800_000;
/** For all of them. Whoever waits for longer is told what was not done, rather than nothing. */
const WHOLE_LIMIT_MS = 4_500_000;
/** Guesses for files that were not run here before and say nothing of it. */
const GUESS = { plain: 1.5, packages: 5 } as const;
const SLOWEST = 20;
/** Files that take less share a process, for about so long. */
const SHORT_S = 8;
const BATCH_S = 40;
/** What a test needs that the packages of npm bring; all else is Debian's. */
const DATABASE = 'database';
/** Hundreds of databases of a thousand files each are made and removed: in memory that is a tenth of the work. */
const MEMORY = '/dev/shm';
const ENOUGH_MEMORY = 8 * 1024 ** 3;
const STRICT = process.env.CI === 'true';

interface TestFile extends Load {
  /** Absolute. */
  readonly path: string;
  readonly demand: Demand;
}

interface Batch extends Load {
  readonly files: readonly TestFile[];
}

const words = process.argv.slice(2);
const files = await matching(words.filter((word) => word !== '--fast')).then((found) =>
  words.includes('--fast') ? found.filter(({ demand }) => isFast(demand)) : found,
);
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

const durations = new Map<string, number>();
let passed = 0;
const failed: string[] = [];
if (files.length === 0) failed.push('no test file has a path like that');
else {
  install([...new Set(files.flatMap(({ demand }) => packagesOf(demand)))].sort());
  await runAll();
  reportSlowest();
  keepDurations(durations);
}
if (failed.length > 0) console.log(`\nFailed:\n${failed.map((line) => `  ${line}`).join('\n')}\n`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** One server for all, and one directory for everything temporary, which goes with all that is left in it. */
async function runAll(): Promise<void> {
  const directory = await temporary(tmpdir());
  const databases = (await hasMemory()) ? await temporary(MEMORY) : directory;
  try {
    process.env.TMPDIR = directory;
    // Hundreds of processes load the same files: what one has compiled, the others find, and the next run too.
    process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/hostkeep/compiled');
    if (files.some(({ demand }) => demand.needs.includes(DATABASE))) await withServer(databases);
    else await runInTime();
  } finally {
    const left = await stopServersBelow(directory);
    if (!interrupted.signal.aborted) failed.push(...left.map((line) => `left running: ${line}`));
    for (const one of [directory, databases]) await rm(one, { recursive: true, force: true, maxRetries: 20 });
  }
}

async function withServer(databases: string): Promise<void> {
  const dataDir = join(databases, 'server');
  await mkdir(dataDir, { mode: 0o711 }); // for the server's user, when this is root
  await prepareCluster(dataDir);
  const server = await startEmbeddedPostgres({
    dataDir,
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

/** What cannot be installed here is said once, and by each file that misses it; all others need not wait for it. */
function install(groups: readonly string[]): void {
  if (groups.length > 0)
    spawnSync('sh', [join(ROOT, 'scripts/install.sh'), ...groups], { stdio: 'inherit', cwd: ROOT });
}

async function runInTime(): Promise<void> {
  let left = files.length;
  const timer = setTimeout(() => {
    failed.push(`not done within ${WHOLE_LIMIT_MS / 60_000} minutes: ${left} files were not done`);
    interrupted.abort();
  }, WHOLE_LIMIT_MS);
  // A third of the time a file waits for its back end, a machine that boots or a process that ends: one lane more than cores
  // has work meanwhile.
  const lanes = availableParallelism() + 1;
  const run = async (batch: Batch) => {
    const limit = batch.files.every(({ demand }) => isFast(demand)) ? LIMIT_MS : LONG_LIMIT_MS;
    // A process that ends early takes along the file that ended it, and not those after it.
    for (let paths = batch.files.map(({ path }) => path); paths.length > 0; ) {
      const { results, left: again } = await runTestFiles(paths, limit, interrupted.signal);
      results.forEach(report);
      left -= results.length;
      paths = again.length < paths.length ? [...again] : [];
    }
  };
  await runInLanes(batches(lanes), lanes, run, () => interrupted.signal.aborted);
  clearTimeout(timer);
}

/** Short files share a process: to start one and to load what they have in common is most of their time. */
function batches(lanes: number): Batch[] {
  const short = files.filter(
    ({ demand, seconds }) => packagesOf(demand).length === 0 && !demand.alone && seconds < SHORT_S,
  );
  const whole = short.reduce((sum, { seconds }) => sum + seconds, 0);
  const most = Math.min(BATCH_S, whole / lanes / 2);
  const made: { files: TestFile[]; seconds: number; heavy: boolean }[] = [];
  // The order of the paths: neighbours load the same.
  for (const file of short) {
    const last = made.at(-1);
    if (last !== undefined && last.seconds + file.seconds <= most) {
      last.files.push(file);
      last.seconds += file.seconds;
    } else made.push({ files: [file], seconds: file.seconds, heavy: false });
  }
  const own = files.filter((file) => !short.includes(file));
  return [...made, ...own.map((file) => ({ files: [file], seconds: file.seconds, heavy: file.heavy }))];
}

function isFast(demand: Demand): boolean {
  return packagesOf(demand).length === 0 && demand.slowSeconds === undefined;
}

function packagesOf({ needs }: Demand): string[] {
  return needs.filter((need) => need !== DATABASE);
}

function reportSlowest(): void {
  if (durations.size <= SLOWEST) return;
  const slowest = [...durations].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
  console.log(`\nThe slowest ${SLOWEST}:`);
  for (const [file, seconds] of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
  console.log('');
}

function report(result: FileResult): void {
  const file = relative(ROOT, result.file).replaceAll('\\', '/');
  const undecided = result.undecided.map((test) => `${file}: ${test} (no verdict)`);
  const failures = [
    ...result.failures.map(({ test }) => (test === undefined ? file : `${file}: ${test}`)),
    ...(STRICT ? undecided : []),
  ];
  durations.set(file, result.seconds);
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
async function matching(words: string[]): Promise<TestFile[]> {
  const found: string[] = [];
  for await (const path of glob(PLACES, { cwd: ROOT, exclude: ['**/node_modules/**'] })) {
    const plain = path.replaceAll('\\', '/');
    if (words.length === 0 || words.some((word) => plain.includes(word.replace(/^\.\//, ''))))
      found.push(plain);
  }
  const before = durationsBefore();
  return found.sort().map((path) => {
    const demand = demandOf(join(ROOT, path));
    const guess = demand.slowSeconds ?? (packagesOf(demand).length > 0 ? GUESS.packages : GUESS.plain);
    return {
      path: join(ROOT, path),
      demand,
      seconds: Math.max(0.05, before.get(path) ?? guess),
      heavy: demand.needs.includes('machines'),
    };
  });
}
