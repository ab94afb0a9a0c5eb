// Slow: 20 s for a file with a process for each place of a crash

import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { until } from './until.ts';

/** One request, as a client that may have to repeat it sends it. */
export interface RequestStep {
  readonly kind: 'request';
  readonly path: string;
  readonly input: object;
  readonly token: string;
  readonly key: string;
}

/** What a worker does: the jobs of a schedule, then all that wait. */
export interface ShiftStep {
  readonly kind: 'shift';
  readonly upkeep: readonly string[];
}

export type Step = RequestStep | ShiftStep;

export interface Order {
  readonly now: string;
  /** The point at which the process is killed; null: it lives. */
  readonly fatal: string | null;
  readonly step: Step;
}

export interface Done {
  /** What it came to, in this order. */
  readonly points: readonly string[];
  readonly answer: { readonly status: number; readonly body: string } | null;
  /** Jobs that are going to be tried again, with their errors. */
  readonly failures: readonly string[];
}

const PROGRAM = new URL('./mortal-process.ts', import.meta.url);

/** A process of Hostkeep on a database: killed where it is told to, and followed by another that was kept ready. */
export class Mortal {
  readonly #arguments: string;
  readonly #queue: pg.Pool;
  #living: Promise<ChildProcess>;
  #spare: Promise<ChildProcess>;

  /** `node`: settings of a QEMU node that is the catalogue's host; null: the sandbox is. */
  constructor(url: string, node: unknown = null) {
    this.#arguments = JSON.stringify({ url, node });
    this.#queue = new pg.Pool({ connectionString: url, max: 1 });
    this.#living = this.#start();
    // What the first has compiled, it finds.
    this.#spare = this.#living.then(() => this.#start());
    this.#spare.catch(() => {}); // told to who waits for it
  }

  /** Does a step to its end. */
  async do(step: Step, now: Temporal.Instant): Promise<Done> {
    const ended = await call(await this.#living, { now: now.toString(), fatal: null, step });
    assert.ok(
      ended !== null && typeof ended === 'object',
      `the process ended with ${ended} and was not told to`,
    );
    assert.deepEqual(ended.failures, []);
    return ended;
  }

  /** Is killed within a step (SIGKILL) at one of its points, and started again: what the dead had taken is free. */
  async dieIn(step: Step, point: string, now: Temporal.Instant): Promise<void> {
    const dead = await this.#living;
    const ended = await call(dead, { now: now.toString(), fatal: point, step });
    assert.equal(ended, 'SIGKILL', `it never came to the point ${point}`);
    this.#living = this.#spare;
    this.#spare = this.#start();
    await this.#noticed(dead.pid ?? 0);
  }

  async stop(): Promise<void> {
    for (const child of await Promise.all([this.#living, this.#spare])) {
      await new Promise((resolve) => {
        child.once('exit', resolve);
        child.disconnect();
      });
    }
    await this.#queue.end();
  }

  /** Waits until PostgreSQL has rolled back what the dead had begun, then does what the heartbeat does (rule C1). */
  async #noticed(pid: number): Promise<void> {
    const open = 'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1';
    const closed = async () =>
      (await this.#queue.query(open, [`mortal-${pid}`])).rows.length === 0 ? true : null;
    await until(closed, () => 'connections of the dead process stay open', 5);
    await this.#queue.query(
      `SELECT graphile_worker.force_unlock_workers(array_agg(locked_by)) FROM graphile_worker._private_jobs
       WHERE locked_by IS NOT NULL HAVING count(*) > 0`,
    );
  }

  #start(): Promise<ChildProcess> {
    const child = fork(PROGRAM, [this.#arguments], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Many are started: what the first has compiled, the others find.
      env: { NODE_COMPILE_CACHE: join(tmpdir(), 'mortal-compiled'), ...process.env },
      // Room for all that is imported: it stays, and moving it about is a tenth of a start.
      execArgv: ['--min-semi-space-size=32'],
    });
    const ready = new Promise<ChildProcess>((resolve, reject) => {
      child.once('message', () => resolve(child));
      child.once('exit', (code, signal) =>
        reject(new Error(`it ended with ${code ?? signal} before it began`)),
      );
    });
    ready.catch(() => {}); // told to who waits for it
    return ready;
  }
}

function call(child: ChildProcess, order: Order): Promise<Done | NodeJS.Signals | number | null> {
  return new Promise((resolve, reject) => {
    const exited = (code: number | null, signal: NodeJS.Signals | null) => resolve(signal ?? code);
    child.once('exit', exited);
    child.once('message', (reply: Done | { readonly error: string }) => {
      child.removeListener('exit', exited);
      if ('error' in reply) reject(new Error(reply.error));
      else resolve(reply);
    });
    child.send(order);
  });
}
