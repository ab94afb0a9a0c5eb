import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import {
  type JobHelpers,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
  Logger as WorkerLogger,
} from 'graphile-worker';
import { isConnectionLoss } from '../db/connection-loss.ts';
import { BackendBusy, BackendSlots } from './backend-slots.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { Job } from './job.ts';
import { asJob, SetAside } from './job-fault.ts';
import { QueuePool } from './queue-pool.ts';
import { type RunOptions, runJob, runQueued } from './run-job.ts';
import { startSchedule } from './schedule.ts';
import { startTicker } from './ticker.ts';

export interface WorkerOptions extends RunOptions {
  readonly jobs: readonly Job[];
  /** Straight to PostgreSQL, not through a transaction pooler: the queue listens for notifications. */
  readonly directUrl: string;
  readonly concurrency: number;
  /** How many of them may command one back end; half of them, unless said. */
  readonly perBackend?: number;
  /** For tests: otherwise than every five seconds, and thirty of silence. */
  readonly heartbeat?: { readonly beatMs: number; readonly silentSeconds: number };
  /** For tests: otherwise than half a minute for jobs to end when the worker is stopped. */
  readonly patienceMs?: number;
}

/** Runs of one tick beside each other, in a process. */
const TICKS_AT_ONCE = 8;
const PAUSE_MS = 1_000;
/** How soon a worker knows what other processes have set aside. */
const LOOK_MS = 10_000;
/** How soon work is found that no notification told of, as after the database came back. */
const POLL_MS = 2_000;
/** For the database to come back, when a worker ends without it. */
const ENDING_MS = 10_000;
/** For jobs that run to end. Others take up at once what does not. */
const PATIENCE_MS = 30_000;

/**
 * Runs jobs until it is stopped. Any number of workers may run on one database. When the database goes away they wait,
 * and go on when it is back.
 */
export async function startWorker(options: WorkerOptions): Promise<{ stop(): Promise<void> }> {
  const { jobs, concurrency, directUrl, clock, context } = options;
  const { log } = context;
  const slots = new BackendSlots(options.perBackend ?? Math.max(1, Math.floor(concurrency / 2)));
  const pool = new QueuePool({ url: directUrl, size: concurrency + 3 });
  const taskList: TaskList = Object.fromEntries(
    jobs.map((job) => [job.name, (payload: unknown, helpers: JobHelpers) => runTaken(job, payload, helpers)]),
  );
  const aside = new SetAside(options.pool);
  /** A job whose back end is busy goes back to its place in the queue, and is not taken again until there is room. */
  async function runTaken(job: Job, payload: unknown, { job: taken }: JobHelpers): Promise<void> {
    const known = { name: job.name, key: taken.key ?? String(taken.id) };
    await aside.refuse(known, taken.id);
    try {
      await asJob(known, () => runQueued({ ...options, slots }, job, payload, taken));
    } catch (error) {
      if (!(error instanceof BackendBusy)) throw error;
      const { rows } = await pool.query<{ held: boolean }>('SELECT give_back_job($1, $2, $3) AS held', [
        taken.id,
        taken.locked_by,
        error.backend,
      ]);
      if (rows[0]?.held !== true) throw error;
    }
  }
  async function runTick(job: Job): Promise<void> {
    const known = { name: job.name, key: '' };
    await aside.refuse(known, null);
    await asJob(known, () => runJob(options, job, {}));
  }
  const events: WorkerEvents = new EventEmitter();
  const heartbeat = startHeartbeat({ events, pool, log, ...options.heartbeat });
  const start = () =>
    run({
      events,
      pgPool: pool,
      taskList,
      concurrency,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger: new WorkerLogger(() => (level, message) => {
        if (level === 'error' || level === 'warning') log.warn(message);
      }),
      parsedCronItems: [],
      forbiddenFlags: () => slots.full(),
    });
  let stopped = false;
  const look = () =>
    aside.look().catch((error: unknown) => log.warn({ err: error }, 'jobs that are set aside are not known'));
  /** Until it runs, as long as the database is away. */
  async function started(): Promise<Runner> {
    for (;;) {
      try {
        return await start();
      } catch (error) {
        if (stopped || !isConnectionLoss(error)) throw error;
        log.warn({ err: error }, 'the queue waits for the database');
        await setTimeout(PAUSE_MS);
      }
    }
  }
  await look();
  let runner = await started();
  /** Whatever ends the queue's own loop, another one takes its place. */
  const supervised = (async () => {
    for (;;) {
      await runner.promise.catch((error: unknown) => log.warn({ err: error }, 'the queue stopped'));
      if (stopped) return;
      await setTimeout(PAUSE_MS);
      runner = await started();
    }
  })().catch((error: unknown) => log.error({ err: error }, 'the queue cannot be started again'));
  const schedule = startSchedule({ jobs, pool, clock, log });
  const looking = startTicker({ everyMs: LOOK_MS, atOnce: 1, run: look });
  const tickers = jobs.flatMap((job) =>
    job.kind === 'tick'
      ? [
          startTicker({
            everyMs: job.everyMs,
            atOnce: TICKS_AT_ONCE,
            run: () => runTick(job).catch(() => {}), // which it has logged
          }),
        ]
      : [],
  );
  return {
    async stop() {
      stopped = true;
      // With the database away, outcomes that cannot be written are given up: others take these jobs up again.
      const giveUp = globalThis.setTimeout(() => pool.giveUp(), ENDING_MS);
      const late = Promise.withResolvers<false>();
      const patience = globalThis.setTimeout(() => late.resolve(false), options.patienceMs ?? PATIENCE_MS);
      const ended = Promise.all([
        runner.stop().catch((error: unknown) => log.warn({ err: error }, 'the queue did not end well')),
        schedule.stop(),
        looking.stop(),
        ...tickers.map((ticker) => ticker.stop()),
      ]).then(() => supervised);
      const inTime = await Promise.race([ended.then(() => true), late.promise]);
      clearTimeout(giveUp);
      clearTimeout(patience);
      pool.giveUp();
      if (!inTime) log.warn('jobs that did not end in time are left to other workers');
      await heartbeat.stop();
      // What was left holds connections until it ends, or the process does.
      const closed = ended.then(() => pool.end());
      if (inTime) await closed;
      else closed.catch((error: unknown) => log.warn({ err: error }, 'the queue did not close well'));
    },
  };
}
