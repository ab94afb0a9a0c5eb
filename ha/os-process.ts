import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Runs a tool of the machine to its end and gives what it printed; fails with its complaint. */
export async function tool(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], { maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

export interface Launch {
  readonly name: string;
  /** The network namespace that it runs in. */
  readonly namespace: string;
  /** The OS user that it runs as; root where none is named. */
  readonly user?: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Everything that it prints is added to this file. */
  readonly log: string;
}

/** A direct child of this process: its pid is known, and its end is noticed. */
export class OsProcess {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<string>;
  #end: string | null = null;

  constructor({ name, namespace, user, program, args, environment, log }: Launch) {
    this.name = name;
    const output = openSync(log, 'a');
    const identity = user === undefined ? [] : [`--reuid=${user}`, `--regid=${user}`, '--init-groups'];
    // Both programs replace themselves by the next one, so the pid is that of the program itself.
    this.#child = spawn(
      'nsenter',
      [`--net=/run/netns/${namespace}`, 'setpriv', ...identity, '--', program, ...args],
      // A session of its own: Ctrl-C reaches the script alone, which then ends its children in order.
      { env: environment ?? process.env, stdio: ['ignore', output, output], detached: true },
    );
    closeSync(output);
    this.#ended = new Promise((resolve) => {
      const end = (how: string) => {
        this.#end ??= how;
        resolve(this.#end);
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (code, signal) => end(signal ?? `exit ${code}`));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** How it ended; null while it runs. */
  get end(): string | null {
    return this.#end;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#end === null) this.#child.kill(signal);
  }

  ended(): Promise<string> {
    return this.#ended;
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#ended;
  }

  /** As a supervisor stops it. What does not stop within a minute is killed, and that is an error. */
  async stop(): Promise<void> {
    if (this.#end !== null) return;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.signal('SIGKILL');
    }, STOP_LIMIT_MS);
    this.signal('SIGTERM');
    await this.#ended;
    clearTimeout(timer);
    if (late) throw new Error(`${this.name} did not stop within ${STOP_LIMIT_MS / 1000} s`);
  }
}

const STOP_LIMIT_MS = 60_000;

/** Signals a process that another run may have started, and that may be gone by now. */
export function signalPid(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** When a process began, in ticks since the machine's start; null when it is gone, or dead and not yet reaped. */
export function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** What a process shows as its command line; PostgreSQL says there what it does. Empty when it is gone. */
export function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
