import { CoalescedRead } from '../db/coalesce.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

const finishedTasks = statement<{ id: string }>(
  'finished_tasks',
  'SELECT id FROM tasks WHERE id = ANY($1::uuid[]) AND finished_at IS NOT NULL',
);

const POLL_MS = 100;

/** Waits for tasks to finish. One poll serves all who wait; nobody holds a connection meanwhile. */
export class TaskWaiter {
  readonly #finished: CoalescedRead<string, boolean>;
  #stopped = false;

  constructor(db: Executor) {
    this.#finished = new CoalescedRead(
      async (ids) => {
        const done = new Set((await db.run(finishedTasks, [ids])).map((row) => row.id));
        return ids.map((id) => done.has(id));
      },
      { lanes: 1, limit: 1000 },
    );
  }

  async finished(taskId: string, seconds: number): Promise<boolean> {
    const until = performance.now() + seconds * 1000;
    while (!this.#stopped && performance.now() < until) {
      if (await this.#finished.get(taskId)) return true;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return false;
  }

  /** Has all who wait go on without the end of their tasks: the process stops. */
  stop(): void {
    this.#stopped = true;
  }
}
