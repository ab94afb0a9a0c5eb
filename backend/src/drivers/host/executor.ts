import type { Duplex, Readable, Writable } from 'node:stream';

/** What a command came to. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** What the command reads. Never logged: secrets travel here, and never among the arguments. */
  readonly input?: string | Buffer;
  /** After which it is given up; its outcome is unknown then. */
  readonly deadlineMs?: number;
}

/**
 * Runs commands on a host, as root: the host itself, or another one over SSH. A command is a list of arguments;
 * there is no shell that could take any of them apart. Throws BackendUnavailable when the outcome is unknown.
 */
export interface Executor {
  run(argv: readonly string[], options?: RunOptions): Promise<Finished>;
  /** A command that is talked with: what it prints is read, what is written it reads. Ended by destroying it. */
  open(argv: readonly string[]): Duplex;
  /** A connection to a unix socket of the host. Fails as a stream does: by its `error` event. */
  connect(socket: string): Duplex;
  /** With streams for what may be large. Throws CommandFailed when the command fails. */
  pipe(argv: readonly string[], streams: { readonly from?: Readable; readonly to?: Writable }): Promise<void>;
  close(): Promise<void>;
}

/** A command said no. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';

  constructor(argv: readonly string[], { code, stderr }: Pick<Finished, 'code' | 'stderr'>) {
    super(`${argv[0] ?? ''} ended with ${code}: ${stderr.trim().slice(-500)}`);
  }
}

/** Runs a command that must succeed; what it printed. */
export async function must(
  executor: Executor,
  argv: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const finished = await executor.run(argv, options);
  if (finished.code !== 0) throw new CommandFailed(argv, finished);
  return finished.stdout;
}

/** A script whose text never changes, and whose values are arguments: `$1`, `$2`, … */
export function script(text: string, ...values: readonly string[]): string[] {
  return ['sh', '-euc', text, 'sh', ...values];
}
