import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex, PassThrough, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackendUnavailable } from '../outcome.ts';
import { CommandFailed, type Finished, type RunOptions } from './executor.ts';

const DEADLINE_MS = 60_000;
const MOST_OUTPUT = 64 * 1024 * 1024;
// The same everywhere, whatever the environment of the program is; times are UTC.
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: '/root' };

/**
 * Whether a child has its streams. Without a free file descriptor it has none; its `error` event tells of that a moment
 * later, and must have a listener by then.
 */
function hasStreams({ stdin }: ChildProcess): boolean {
  return stdin !== undefined;
}

/** Runs a program for a back end, and waits for it. */
export function runChild(
  backend: string,
  argv: readonly string[],
  { input = '', deadlineMs = DEADLINE_MS }: RunOptions = {},
): Promise<Finished> {
  const [file = '', ...given] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(file, given, { env: ENVIRONMENT, cwd: '/' });
    const fail = (cause: Error) => {
      clearTimeout(late);
      reject(new BackendUnavailable(backend, cause));
    };
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      fail(new Error(`${file} took longer than ${deadlineMs} ms`));
    }, deadlineMs);
    child.on('error', fail);
    if (!hasStreams(child)) return;
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < MOST_OUTPUT) stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < MOST_OUTPUT) stderr += text;
    });
    // Not `close`: a connection that ssh leaves behind for the next command holds its errors' output open.
    const printed = new Promise((done) => child.stdout.on('close', done));
    child.on('exit', async (code, signal) => {
      await printed;
      child.stderr.destroy();
      if (code === null) return fail(new Error(`${file}: ${signal}`));
      clearTimeout(late);
      resolve({ code, stdout, stderr });
    });
    child.stdin.on('error', () => {
      // It ended before it had read everything: its exit code says why.
    });
    child.stdin.end(input);
  });
}

/** Starts a program that is talked with. It is stopped when the stream is destroyed, and ends with this process. */
export function openChild(argv: readonly string[]): Duplex {
  const [file = '', ...given] = argv;
  const child = spawn(file, given, { env: ENVIRONMENT, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
  if (!hasStreams(child)) {
    const failed = new PassThrough();
    child.on('error', (error) => failed.destroy(error));
    return heard(failed);
  }
  const output = printedBy(child, file);
  const stream = new Duplex({
    // Nothing is read ahead: a stream that fails forgets what it holds, and the last words say why.
    readableHighWaterMark: 0,
    read() {
      output.next().then(
        ({ done, value }) => stream.destroyed || stream.push(done === true ? null : value),
        (error) => stream.destroy(error),
      );
    },
    write: (chunk, _encoding, taken) => void child.stdin.write(chunk, taken),
    final: (ended) => void child.stdin.end(ended),
    destroy(error, destroyed) {
      child.kill();
      destroyed(error);
    },
  });
  child.stdin.on('error', () => {
    // It ended: its exit code says so.
  });
  child.on('error', (error) => stream.destroy(error));
  return heard(stream);
}

/** What a program prints; fails behind its last word if it failed. */
async function* printedBy(child: ChildProcess, file: string): AsyncGenerator<Buffer, void> {
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  yield* child.stdout ?? [];
  const code = await ended;
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
}

/** A stream whose failure ends the stream and not the process, also before its reader listens. */
export function heard<S extends Duplex>(stream: S): S {
  stream.on('error', () => {});
  return stream;
}

/**
 * Gives a program its input. A program that ends before it has read everything says why with its exit code; a source that
 * breaks off must be told, because the program takes what it got for the whole.
 */
async function feed(from: Readable, stdin: Writable): Promise<void> {
  let programEnded = false;
  const look = () => {
    programEnded ||= !from.destroyed || from.readableEnded;
  };
  stdin.once('error', look).once('close', look);
  await pipeline(from, stdin).catch((error: unknown) => {
    if (!programEnded) throw error;
  });
}

/** Runs a program for a back end, between streams. */
export async function pipeChild(
  backend: string,
  argv: readonly string[],
  { from, to }: { readonly from?: Readable; readonly to?: Writable },
): Promise<void> {
  const [file = '', ...given] = argv;
  const child = spawn(file, given, { env: ENVIRONMENT, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', (error) => reject(new BackendUnavailable(backend, error)));
    child.on('close', (code) => resolve(code ?? -1));
  });
  if (!hasStreams(child)) return void (await ended);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MOST_OUTPUT) stderr += text;
  });
  const flows: Promise<unknown>[] = [ended];
  if (from === undefined) child.stdin.end();
  else flows.push(feed(from, child.stdin));
  if (to === undefined) child.stdout.resume();
  else flows.push(pipeline(child.stdout, to));
  await Promise.all(flows).catch((error: unknown) => {
    child.kill('SIGTERM');
    throw error;
  });
  const code = await ended;
  if (code !== 0) throw new CommandFailed(argv, { code, stderr });
}
