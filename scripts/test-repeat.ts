/**
 * Whole runs of the tests, one after the other: `node scripts/test-repeat.ts <how many> [--fast] [part of a path…]`. Each
 * run is a line with its duration and what failed. Run again after an interruption it goes on with those that are
 * missing, unless another commit is checked out; `--new` begins from the first. The exit status is 0 when all of them were green.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { finished } from 'node:stream/promises';

const ROOT = join(import.meta.dirname, '..');
const TEST = join(import.meta.dirname, 'test.ts');

interface Run {
  readonly begun: string;
  readonly minutes: number;
  readonly verdict: string;
  readonly failures: readonly string[];
}

const given = process.argv.slice(2);
const words = given.filter((word) => word !== '--new').slice(1);
const wanted = Number(given.filter((word) => word !== '--new')[0]);
if (!Number.isInteger(wanted) || wanted < 1) throw new Error('how many runs? npm run test:repeat -- 20');
const { stdout: commit } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
const name = createHash('sha256')
  .update([commit, ...words].join('\n'))
  .digest('hex')
  .slice(0, 8);
const place = join(ROOT, 'node_modules/.cache/hostkeep/repeat', name);
if (given.includes('--new')) rmSync(place, { recursive: true, force: true });
mkdirSync(place, { recursive: true });
const record = join(place, 'runs.json');

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());

const runs: Run[] = runsBefore();
runs.forEach(report);
while (runs.length < wanted && !stopped.signal.aborted) {
  const run = await runOnce(runs.length + 1);
  if (stopped.signal.aborted) break; // it says nothing of the tests
  runs.push(run);
  writeFileSync(record, `${JSON.stringify(runs, null, 1)}\n`);
  report(run, runs.length - 1);
}
const green = runs.filter(({ failures }) => failures.length === 0).length;
console.log(
  `${green} of ${runs.length} runs green, ${wanted} wanted; what they printed is in ${relative('.', place)}`,
);
process.exitCode = green >= wanted && green === runs.length ? 0 : 1;

async function runOnce(number: number): Promise<Run> {
  const begun = new Date();
  const log = join(place, `${number}.log`);
  const out = createWriteStream(log);
  const child = spawn(process.execPath, [TEST, ...words], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const interrupt = () => child.kill('SIGINT');
  stopped.signal.addEventListener('abort', interrupt, { once: true });
  child.stdout.pipe(out, { end: false });
  child.stderr.pipe(out, { end: false });
  const [status] = await once(child, 'close');
  stopped.signal.removeEventListener('abort', interrupt);
  await finished(out.end());
  const printed = readFileSync(log, 'utf8');
  const failed = /\nFailed:\n((?: {2}.*\n)+)/.exec(printed)?.[1] ?? '';
  const failures = failed.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return {
    begun: begun.toISOString(),
    minutes: (Date.now() - begun.getTime()) / 60_000,
    verdict: printed.trimEnd().split('\n').at(-1) ?? '',
    failures: status !== 0 && failures.length === 0 ? [`exit status ${status}`] : failures,
  };
}

function report({ begun, minutes, verdict, failures }: Run, index: number): void {
  const mark = failures.length === 0 ? 'green ' : 'FAILED';
  console.log(`${mark} ${String(index + 1).padStart(3)}  ${begun}  ${minutes.toFixed(1)} min  ${verdict}`);
  for (const line of failures) console.log(`            ${line}`);
}

function runsBefore(): Run[] {
  try {
    return JSON.parse(readFileSync(record, 'utf8')) as Run[];
  } catch {
    return [];
  }
}
