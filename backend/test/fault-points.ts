import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';

/**
 * The points at which this process can be killed: before each statement that it sends to PostgreSQL and each command
 * to a back end, and after the answer. A point has the same name in every run (`before COMMIT (2)`: the second one),
 * so that one run finds out which there are and others end at each of them.
 */
export class FaultPoints {
  #counts = new Map<string, number>();
  #reached: string[] = [];
  #fatal: string | null = null;
  #unanswered = 0;

  /** Begins anew; `fatal` is the point at which the process ends, without any good-bye. */
  begin(fatal: string | null): void {
    this.#counts = new Map();
    this.#reached = [];
    this.#fatal = fatal;
  }

  get reached(): readonly string[] {
    return this.#reached;
  }

  reach(what: string): void {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    const point = `${what} (${count})`;
    this.#reached.push(point);
    if (point === this.#fatal) process.kill(process.pid, 'SIGKILL');
  }

  /** Every statement of this process, whichever of its pools sends it, the queue's own too; but not `except`. */
  watchStatements(except: string): void {
    const send = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
    const points = this;
    pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
      if (args[0] === except) return send.apply(this, args);
      const name = nameOf(args[0]);
      points.reach(`before ${name}`);
      points.#unanswered += 1;
      const answered = () => {
        points.#unanswered -= 1;
        points.reach(`after ${name}`);
      };
      const callback = args.at(-1);
      if (typeof callback === 'function') {
        args[args.length - 1] = (...answer: unknown[]) => {
          answered();
          callback(...answer);
        };
        return send.apply(this, args);
      }
      const result = send.apply(this, args);
      // Ahead of whoever waits for it, so that nothing comes of the answer.
      if (result instanceof Promise) result.then(answered, answered);
      return result;
    } as typeof pg.Client.prototype.query;
  }

  /** Waits for the answers to all statements that were sent, whether or not somebody else does. */
  async answered(): Promise<void> {
    while (this.#unanswered > 0) await turn();
  }

  /** Every command of a back end. */
  watchCommands<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]) => {
          this.reach(`before ${String(name)}`);
          const answer: unknown = await Reflect.apply(method, target, args);
          this.reach(`after ${String(name)}`);
          return answer;
        };
      },
    });
  }
}

// Statements that are made up as they are needed are numbered in the order in which a process comes to need them.
const MADE_UP = /^(write|k)_?\d+$/;

/** The name of a prepared statement; of any other, how it begins. */
function nameOf(query: unknown): string {
  const { name, text } = (typeof query === 'string' ? { text: query } : query) as {
    readonly name?: string;
    readonly text?: string;
  };
  return name?.replace(MADE_UP, '$1') ?? (text ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 50);
}
