import { createHash } from 'node:crypto';
import { type Executor, must, script } from '../../host/executor.ts';
import { BackendUnavailable } from '../../outcome.ts';
import type { NodeSettings } from './settings.ts';

const LOCK_MS = 120_000;
// Whoever had the lock may have been killed while a command of theirs went on: that is waited for, too.
const LOCK = `mkdir -p "$1"
exec 9>"$1/$2" 8>"$1/$2.busy"
flock 9
flock 8
exec 8>&-
echo locked
exec cat >/dev/null`;
const WRITE = 'umask 077; cat >"$1.new"; chmod "$2" "$1.new"; sync "$1.new"; mv -fT "$1.new" "$1"';

/** Something else is at work on a machine, for longer than was to be waited. */
export class Locked extends BackendUnavailable {}

/** One physical machine, with the paths of what the driver keeps there. */
export class Node {
  readonly name: string;
  readonly executor: Executor;
  readonly settings: NodeSettings;

  constructor(name: string, executor: Executor, settings: NodeSettings) {
    this.name = name;
    this.executor = executor;
    this.settings = settings;
  }

  get machines(): string {
    return `${this.settings.state}/machines`;
  }

  get images(): string {
    return `${this.settings.state}/images`;
  }

  medium(sha256: string): string {
    return `${this.settings.state}/media/${sha256}.iso`;
  }

  directory(serverId: string): string {
    return `${this.machines}/${serverId}`;
  }

  /** What is there only while a machine runs: its sockets and its process id. */
  run(serverId: string): string {
    return `${this.directory(serverId)}/run`;
  }

  /** Puts a command into the network namespace of the machines. */
  inNetwork(argv: readonly string[]): string[] {
    const { namespace } = this.settings.network;
    return namespace === undefined ? [...argv] : ['ip', 'netns', 'exec', namespace, ...argv];
  }

  command(argv: readonly string[], input?: string | Buffer): Promise<string> {
    return must(this.executor, argv, input === undefined ? {} : { input });
  }

  /** Runs a fixed script; see {@link script}. */
  sh(text: string, ...values: readonly string[]): Promise<string> {
    return this.command(script(text, ...values));
  }

  /** Writes a file of root's so that it is there whole or not at all, also after a power failure. */
  async write(path: string, text: string, mode = '0600'): Promise<void> {
    await this.command(script(WRITE, path, mode), text);
  }

  /**
   * One after the other, whoever asks: other processes, too. The lock is held by a program on the node that ends with
   * the connection, so a process that was killed leaves none behind. `work` gets the node to work with.
   */
  async locked<T>(name: string, work: (node: Node) => Promise<T>, withinMs = LOCK_MS): Promise<T> {
    const holder = this.executor.open(script(LOCK, `${this.settings.state}/locks`, name));
    try {
      await new Promise<void>((resolve, reject) => {
        const fail = (cause: unknown) => reject(new BackendUnavailable(this.name, cause));
        const held = () => reject(new Locked(this.name, new Error(`${name} is locked`)));
        const late = setTimeout(held, withinMs);
        holder.once('data', () => resolve());
        holder.once('error', fail);
        holder.once('close', () => fail(new Error('the lock was not given')));
        holder.once('close', () => clearTimeout(late));
        holder.once('data', () => clearTimeout(late));
      });
      return await work(this.#busy(name));
    } finally {
      holder.on('error', () => {
        // It is destroyed on purpose.
      });
      holder.destroy();
    }
  }

  /** The same node, whose commands are waited for by whoever has the lock next. */
  #busy(name: string): Node {
    const { executor, settings } = this;
    const hold = ['flock', '--shared', '--close', `${settings.state}/locks/${name}.busy`];
    return new Node(
      this.name,
      { ...executor, run: (argv, options) => executor.run([...hold, ...argv], options) },
      settings,
    );
  }
}

/** The name of a machine's interface, of at most 15 characters: its own on every node. */
export function interfaceOf(serverId: string, kind: 'tap' | 'shaper'): string {
  return `${kind === 'tap' ? 'hk' : 'hi'}${digest(serverId).toString('hex').slice(0, 12)}`;
}

// Above everything that systems and their containers give to users, up to what a kernel takes (2^31 - 1).
const FIRST_UID = 2_000_000_001;
const UIDS = 140_000_000;

/** The user that a machine's process runs as: a number of its own, so that one machine cannot reach another's disk. */
export function uidOf(serverId: string): number {
  return FIRST_UID + (digest(serverId).readUInt32BE(8) % UIDS);
}

function digest(serverId: string): Buffer {
  return createHash('sha256').update(serverId).digest();
}
