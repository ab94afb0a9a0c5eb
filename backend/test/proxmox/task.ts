import { PveRefusal } from './refusal.ts';

export interface SimulatedTask {
  readonly upid: string;
  readonly node: string;
  readonly type: string;
  readonly id: string;
  readonly user: string;
  readonly pid: number;
  readonly pstart: number;
  readonly starttime: number;
  readonly log: string[];
  /** null: it runs. */
  exitstatus: string | null;
  endtime: number | null;
}

interface Held {
  readonly type: string;
  readonly released: Promise<void>;
}

/** What the nodes' workers do: each task takes a moment, and ends with `OK` or with what went wrong. */
export class Tasks {
  readonly all: SimulatedTask[] = [];
  readonly #held: Held[] = [];
  readonly #failing: { readonly type: string; readonly reason: string }[] = [];
  readonly #running = new Set<Promise<void>>();
  #pid = 1000;

  /** Has the next task of a type fail, before it did anything, for this reason. */
  fail(type: string, reason: string): void {
    this.#failing.push({ type, reason });
  }

  /** Keeps tasks of a type from going on until released. */
  hold(type: string): () => void {
    const { promise: released, resolve } = Promise.withResolvers<void>();
    const held = { type, released };
    this.#held.push(held);
    return () => {
      this.#held.splice(this.#held.indexOf(held), 1);
      resolve();
    };
  }

  /** Starts a worker. `begin` is what it does at once, `work` what it did when it ends. */
  start(
    {
      node,
      type,
      id,
      user,
      seconds,
    }: { node: string; type: string; id: string; user: string; seconds: number },
    begin: (log: string[]) => void,
    work: (log: string[]) => void | Promise<void>,
    failed: () => void = () => {},
  ): string {
    this.#pid += 1;
    const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
    const pstart = 0x1000 + this.#pid;
    const upid = `UPID:${node}:${hex(this.#pid)}:${hex(pstart)}:${hex(seconds)}:${type}:${id}:${user}:`;
    const task: SimulatedTask = {
      ...{ upid, node, type, id, user, pid: this.#pid, pstart, starttime: seconds, log: [] },
      ...{ exitstatus: null, endtime: null },
    };
    this.all.push(task);
    const run = this.#run(task, begin, work, failed).finally(() => {
      task.endtime = seconds;
      task.log.push(task.exitstatus === 'OK' ? 'TASK OK' : `TASK ERROR: ${task.exitstatus}`);
      this.#running.delete(run);
    });
    this.#running.add(run);
    return upid;
  }

  async #run(
    task: SimulatedTask,
    begin: (log: string[]) => void,
    work: (log: string[]) => void | Promise<void>,
    failed: () => void,
  ): Promise<void> {
    try {
      const at = this.#failing.findIndex(({ type }) => type === task.type);
      begin(task.log);
      await new Promise((resolve) => setImmediate(resolve));
      while (true) {
        const held = this.#held.find(({ type }) => type === task.type);
        if (held === undefined) break;
        await held.released;
      }
      const [failing] = at < 0 ? [] : this.#failing.splice(at, 1);
      if (failing !== undefined) throw new PveRefusal(500, failing.reason);
      await work(task.log);
      task.exitstatus = 'OK';
    } catch (error) {
      failed();
      task.exitstatus = error instanceof Error ? error.message : String(error);
    }
  }

  /** Until nothing runs any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
