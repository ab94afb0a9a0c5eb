import { once } from 'node:events';
import { join } from 'node:path';
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
const BATCH = join(import.meta.dirname, 'test-batch.ts');

/** What has come of a file so far. */
interface Outcome {
  passed: number;
  failures: Failure[];
  undecided: string[];
  output: string;
  seconds: number;
  ended: boolean;
}

export interface ProcessResult {
  readonly results: readonly FileResult[];
  /** Files whose turn did not come, because the process ended before. */
  readonly left: readonly string[];
}

/**
 * Runs test files in one process, which is theirs alone, one after the other, and each test in them for at most
 * `limitMs`. `signal` ends it before.
 */
export async function runTestFiles(
  files: readonly string[],
  limitMs: number,
  signal: AbortSignal,
): Promise<ProcessResult> {
  const [first = ''] = files;
  const isBatch = files.length > 1;
  let since = performance.now();
  const silence = limitMs + GRACE_MS;
  const silent = `nothing was heard of it for ${silence / 1000} s`;
  const watchdog = new Watchdog(silence, silent);
  const stream = run({
    files: [isBatch ? BATCH : first],
    ...(isBatch ? { argv: [...files] } : {}),
    isolation: 'process',
    timeout: limitMs,
    // Room for what the start makes and keeps: moving it about is a sixth of a short file's time.
    execArgv: ['--min-semi-space-size=32'],
    signal: AbortSignal.any([signal, watchdog.signal]),
  });
  const outcomes = new Map<string, Outcome>(isBatch ? [] : [[first, newOutcome()]]);
  /** Of each test its file, and its name with those of the suites around it; none for the suite that is a file. */
  const places = new Map<number, { file: string; path: string | undefined }>();
  let current = first;
  let underWay = 0;
  let ending: EventData.Error | 'well' | undefined;
  let complete = false;

  const outcomeOf = (file: string): Outcome => {
    const known = outcomes.get(file);
    if (known !== undefined) return known;
    const made = newOutcome();
    outcomes.set(file, made);
    return made;
  };
  const print = ({ message }: { message: string }) => {
    const outcome = outcomeOf(current);
    outcome.output = (outcome.output + message).slice(-LONGEST_OUTPUT);
  };
  // Events of the process as a whole come from this one, those with `entryFile` from the other.
  stream
    .on('data', () => watchdog.pat())
    .on('test:stdout', print)
    .on('test:stderr', print)
    .on('test:diagnostic', ({ message }) => {
      if (!COUNT.test(message)) print({ message: `${message}\n` });
    })
    .on('test:enqueue', ({ entryFile, testId, parentId, name }) => {
      if (entryFile === undefined) return;
      const around = parentId === undefined ? undefined : places.get(parentId);
      if (isBatch && around === undefined) {
        current = name;
        outcomeOf(name);
        places.set(testId, { file: name, path: undefined });
      } else {
        const path = around?.path === undefined ? name : `${around.path} > ${name}`;
        places.set(testId, { file: around?.file ?? first, path });
      }
      underWay++;
      watchdog.expect(silence, silent);
    })
    .on('test:complete', ({ entryFile, testId, details }) => {
      if (entryFile === undefined) return;
      const place = places.get(testId);
      if (place !== undefined && place.path === undefined) {
        const outcome = outcomeOf(place.file);
        outcome.ended = true;
        // What it did without a pause is heard of late.
        outcome.seconds = Math.max(performance.now() - since, details.duration_ms) / 1000;
        since = performance.now();
      }
      underWay--;
      if (underWay <= 0)
        watchdog.expect(ENDING_MS, 'it does not end after its tests: something keeps it running');
    })
    .on('test:pass', ({ entryFile, testId, details, skip, todo, name }) => {
      if (entryFile === undefined) {
        ending ??= 'well';
        return;
      }
      const { file, path } = places.get(testId) ?? { file: first, path: name };
      if (path === undefined) return;
      if (isMarked(skip) || isMarked(todo)) outcomeOf(file).undecided.push(path);
      else if (details.type === 'test') outcomeOf(file).passed++;
    })
    .on('test:fail', ({ entryFile, testId, details: { error }, skip, todo, name, line, file: place }) => {
      if (entryFile === undefined) {
        ending = error;
        return;
      }
      const { file, path } = places.get(testId) ?? { file: first, path: name };
      const { undecided, failures } = outcomeOf(file);
      if (path !== undefined && (isMarked(skip) || isMarked(todo))) undecided.push(path);
      else if (kindOf(error) !== 'subtestsFailed') {
        const detail = `${place}:${line}\n${textOf(error)}`;
        // A hook of the file has the file's name.
        failures.push(path === undefined || name === place ? { detail } : { test: path, detail });
      }
    })
    .on('test:summary', ({ file: whose }) => {
      if (whose !== undefined) complete = true;
    })
    .resume();
  await once(stream, 'end');
  watchdog.stop();

  const detail = complaint();
  if (!isBatch) outcomeOf(first).seconds = (performance.now() - since) / 1000;
  if (detail !== undefined) blame(detail);
  for (const { passed, failures, undecided } of outcomes.values())
    if (passed + failures.length + undecided.length === 0) failures.push({ detail: 'it has no test' });
  return {
    results: [...outcomes].map(([file, outcome]) => ({ file, ...outcome })),
    left: signal.aborted ? [] : files.filter((file) => !outcomes.has(file)),
  };

  function complaint(): string | undefined {
    if (watchdog.complaint !== undefined) return watchdog.complaint;
    if (signal.aborted) return 'interrupted';
    const crashed = ending !== undefined && ending !== 'well' && kindOf(ending) !== 'subtestsFailed';
    if (crashed) return `its process failed (${exitOf(ending)})`;
    return complete ? undefined : 'it has no test, or ended its process before they did';
  }

  /** The file whose turn it was, or all that shared the process when it was the turn of none any more. */
  function blame(detail: string): void {
    const whose = isBatch ? files.find((file) => outcomes.get(file)?.ended !== true) : first;
    if (whose !== undefined) outcomeOf(whose).failures.push({ detail });
    else outcomeOf(current).failures.push({ detail: `${detail}\nIn this process ran:\n${files.join('\n')}` });
  }
}

function newOutcome(): Outcome {
  return { passed: 0, failures: [], undecided: [], output: '', seconds: 0, ended: false };
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
