// Slow: 10 s for a file that starts whole programs

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAIN = fileURLToPath(new URL('../backend/src/main.ts', import.meta.url));
const READY = /Hostkeep is ready on (http:\/\/\S+)/;
// Against what hangs: machines differ by a factor of ten.
const START_LIMIT_MS = 240_000;
const STOP_LIMIT_MS = 60_000;

/** Settings of Hostkeep for a process, on top of an environment that has none. */
export type Settings = Readonly<Record<string, string>>;

/** Runs one operator command to its end and gives what it printed; fails with its complaint. */
export async function command(args: readonly string[], settings: Settings = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], {
    env: environment(settings),
  });
  return stdout.trim();
}

/** A running `serve` or `worker` that this process started, and will end. */
export class Running {
  readonly address: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.address = address;
    this.#ended =
      child.exitCode !== null || child.signalCode !== null
        ? Promise.resolve()
        : new Promise((resolve) => child.once('exit', () => resolve()));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** As a power cut does: this process only, with no chance to say good-bye. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
    running.delete(this.#child);
  }

  /** As Ctrl-C does. One that does not stop is killed, and that is an error. */
  async stop(): Promise<void> {
    if (!running.has(this.#child)) return;
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), STOP_LIMIT_MS);
    await this.#ended;
    clearTimeout(late);
    running.delete(this.#child);
    if (this.#child.signalCode === 'SIGKILL') {
      throw new Error(`process ${this.pid} did not stop within ${STOP_LIMIT_MS} ms`);
    }
  }
}

const running = new Set<ChildProcess>();

/** Starts `serve` and waits for the line that says where it listens. */
export async function serve(args: readonly string[], settings: Settings = {}): Promise<Running> {
  const { child, printed } = await start(['serve', '--port', '0', ...args], settings, READY);
  return new Running(child, READY.exec(printed)?.[1] ?? '');
}

/** Starts `worker` and waits for its first line. */
export async function worker(args: readonly string[], settings: Settings = {}): Promise<Running> {
  const { child } = await start(['worker', ...args], settings, /\n/);
  return new Running(child, '');
}

async function start(
  args: readonly string[],
  settings: Settings,
  ready: RegExp,
): Promise<{ child: ChildProcess; printed: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let printed = '';
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4000);
  });
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGTERM');
      reject(new Error(`${args.join(' ')}: not ready within ${START_LIMIT_MS} ms\n${printed}${complaints}`));
    }, START_LIMIT_MS);
    const listen = (text: string) => {
      printed += text;
      if (!ready.test(printed)) return;
      clearTimeout(late);
      child.stdout.off('data', listen).resume();
      resolve();
    };
    child.stdout.setEncoding('utf8').on('data', listen);
    child.once('exit', (code, signal) => {
      clearTimeout(late);
      running.delete(child);
      reject(
        new Error(`${args.join(' ')} ended (${code ?? signal}) before it was ready\n${printed}${complaints}`),
      );
    });
  });
  child.removeAllListeners('exit');
  child.once('exit', (code, signal) => {
    if (running.has(child) && !child.killed)
      console.error(`${args.join(' ')} ended by itself (${code ?? signal})\n${complaints}`);
  });
  return { child, printed };
}

/** Without the settings of the shell the tests run in, which belong to another installation. */
function environment(settings: Settings): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('HOSTKEEP_') && name !== 'DATABASE_URL' && name !== 'DATABASE_DIRECT_URL',
  );
  return { ...Object.fromEntries(inherited), ...settings };
}

/** Whatever ends the tests also ends what they started. */
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
