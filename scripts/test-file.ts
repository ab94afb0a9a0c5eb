import { once } from 'node:events';
import { type EventData, run } from 'node:test';
import { inspect } from 'node:util';
import { Watchdog } from './watchdog.ts';

/** What came of one test file. */
export interface FileResult {
  readonly file: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** Names of the tests without a verdict: skipped, or still to be written. */
  readonly undecided: readonly string[];
  /** What it printed, the end of it when that is long. */
  readonly output: string;
}

/** Of a test, or of a file as a whole: it does not load, has no test, does not end. */
export interface Failure {
  /** With the names of the suites around it; undefined for a file as a whole. */
  readonly test?: string;
  readonly detail: string;
}

const LONGEST_OUTPUT = 20_000;
/** For what a test may do after its own limit, and for loading the file. */
const GRACE_MS = 30_000;
/** For hooks after the last test. */
const ENDING_MS = 120_000;
/** Node's own totals. */
const COUNT = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** Runs a test file in a process of its own, and each test in it for at most `limitMs`. `signal` ends it before. */
export async function runTestFile(file: string, limitMs: number, signal: AbortSignal): Promise<FileResult> {
  const begun = performance.now();
  const silence = limitMs + GRACE_MS;
  const watchdog = new Watchdog(silence, `nothing was heard of it for ${silence / 1000} s`);
  const stream = run({
    files: [file],
    isolation: 'process',
    timeout: limitMs,
    // Room for what the start makes and keeps: moving it about is a sixth of a short file's time.
    execArgv: ['--min-semi-space-size=32'],
    signal: AbortSignal.any([signal, watchdog.signal]),
  });
  const failures: Failure[] = [];
  const undecided: string[] = [];
  const paths = new Map<number, string>();
  let underWay = 0;
  let passed = 0;
  let output = '';
  let ending: EventData.Error | 'well' | undefined;
  let complete = false;

  const print = ({ message }: { message: string }) => {
    output = (output + message).slice(-LONGEST_OUTPUT);
  };
  // Events of the file as a whole come from this process, those with `entryFile` from the file's own.
  stream
    .on('data', () => watchdog.pat())
    .on('test:stdout', print)
    .on('test:stderr', print)
    .on('test:diagnostic', ({ message }) => {
      if (!COUNT.test(message)) print({ message: `${message}\n` });
    })
    .on('test:enqueue', ({ entryFile, testId, parentId, name }) => {
      const around = parentId === undefined ? undefined : paths.get(parentId);
      if (entryFile === undefined) return;
      paths.set(testId, around === undefined ? name : `${around} > ${name}`);
      underWay++;
      watchdog.expect(silence, `nothing was heard of it for ${silence / 1000} s`);
    })
    .on('test:complete', ({ entryFile }) => {
      if (entryFile === undefined) return;
      underWay--;
      if (underWay <= 0)
        watchdog.expect(ENDING_MS, 'it does not end after its tests: something keeps it running');
    })
    .on('test:pass', ({ entryFile, testId, details, skip, todo, name }) => {
      if (entryFile === undefined) ending ??= 'well';
      else if (isMarked(skip) || isMarked(todo)) undecided.push(paths.get(testId) ?? name);
      else if (details.type === 'test') passed++;
    })
    .on('test:fail', ({ entryFile, testId, details: { error }, skip, todo, name, line, file: place }) => {
      const test = paths.get(testId) ?? name;
      if (entryFile === undefined) ending = error;
      else if (isMarked(skip) || isMarked(todo)) undecided.push(test);
      else if (kindOf(error) !== 'subtestsFailed') {
        const detail = `${place}:${line}\n${textOf(error)}`;
        failures.push(name === place ? { detail } : { test, detail }); // a hook of the file has the file's name
      }
    })
    .on('test:summary', ({ file: whose }) => {
      if (whose !== undefined) complete = true;
    })
    .resume();
  await once(stream, 'end');
  watchdog.stop();

  const detail = complaint();
  if (detail !== undefined) failures.push({ detail });
  return { file, seconds: (performance.now() - begun) / 1000, passed, failures, undecided, output };

  function complaint(): string | undefined {
    if (watchdog.complaint !== undefined) return watchdog.complaint;
    if (signal.aborted) return 'interrupted';
    const crashed = ending !== undefined && ending !== 'well' && kindOf(ending) !== 'subtestsFailed';
    if (crashed) return `its process failed (${exitOf(ending)})`;
    if (!complete) return 'it has no test, or ended its process before they did';
    return passed + failures.length + undecided.length === 0 ? 'it has no test' : undefined;
  }
}

function isMarked(mark: string | boolean | undefined): boolean {
  return mark !== undefined && mark !== false;
}

/** Why Node says that a test failed, such as `testCodeFailure`; its type declaration does not know. */
function kindOf(error: EventData.Error): string {
  return 'failureType' in error ? String(error.failureType) : '';
}

function exitOf(error: EventData.Error | string | undefined): string {
  if (typeof error !== 'object') return '';
  if ('signal' in error && error.signal) return `signal ${error.signal}`;
  return 'exitCode' in error ? `exit status ${error.exitCode}` : error.message;
}

/** What the test threw, where it was thrown. */
function textOf(error: EventData.Error): string {
  const { cause } = error;
  if (cause === error.message) return error.message;
  return cause instanceof Error
    ? inspect(cause, { depth: 6 })
    : `${error.message}\n${inspect(cause, { depth: 6 })}`;
}
