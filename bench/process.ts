import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

type Reply = { readonly value: unknown } | { readonly error: string };

/** In a child process: answers every message of its parent with what `work` makes of it, one after another. */
export function answerCalls<Order, Result>(work: (order: Order) => Promise<Result>): void {
  let last = Promise.resolve();
  process.on('message', (order: Order) => {
    last = last
      .then(() => work(order))
      .then(
        (value): Reply => ({ value }),
        (error: unknown): Reply => ({ error: error instanceof Error ? String(error.stack) : String(error) }),
      )
      .then((reply) => {
        process.send?.(reply);
      });
  });
  process.on('disconnect', () => process.exit(0));
}

/** A child process that answers orders, one at a time. */
export class CallableProcess<Order extends object, Result> {
  readonly #child: ChildProcess;

  constructor(file: string, args: readonly string[] = []) {
    this.#child = fork(new URL(file, import.meta.url), args, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  call(order: Order): Promise<Result> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('the process ended'));
      this.#child.once('exit', ended);
      this.#child.once('message', (reply: Reply) => {
        this.#child.removeListener('exit', ended);
        if ('error' in reply) reject(new Error(reply.error));
        else resolve(reply.value as Result);
      });
      this.#child.send(order);
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }
}
