import { EventEmitter } from 'node:events';
import {
  parseCronItems,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
  Logger as WorkerLogger,
} from 'graphile-worker';
import pg from 'pg';
import type { Clock } from '../base/clock.ts';
import { inFrame } from '../business/accounts/frame.ts';
import type { Pool } from '../db/pool.ts';
import type { CommandPorts } from '../drivers/ports.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { Job, JobContext } from './job.ts';
import { isSafeMode } from './safe-mode.ts';
import { startTicker } from './ticker.ts';

export interface WorkerOptions {
  readonly jobs: readonly Job[];
  /** Straight to PostgreSQL, not through a transaction pooler: the queue listens for notifications. */
  readonly directUrl: string;
  readonly pool: Pool;
  readonly ports: CommandPorts;
  readonly clock: Clock;
  readonly context: Omit<JobContext, 'now'>;
  readonly concurrency: number;
  /** Counts each run by its result. */
  readonly observe: (job: string, result: 'done' | 'nothing' | 'refused' | 'retried') => void;
}

/** Runs of one tick beside each other, in a process. */
const TICKS_AT_ONCE = 8;

/** A command that is under way on the back end: its job comes again. */
class StillPending extends Error {
  override readonly name = 'StillPending';
}

/** Runs jobs until it is stopped. Any number of workers may run on one database. */
export async function startWorker(options: WorkerOptions): Promise<{ stop(): Promise<void> }> {
  const queuePool = new pg.Pool({
    connectionString: options.directUrl,
    max: options.concurrency + 3,
    application_name: 'hostkeep-queue',
  });
  queuePool.on('error', () => {});
  queuePool.on('connect', (client) => client.on('error', () => {}));
  const taskList: TaskList = Object.fromEntries(
    options.jobs.map((job) => [job.name, async (payload: unknown) => runJob(options, job, payload)]),
  );
  const events: WorkerEvents = new EventEmitter();
  const heartbeat = startHeartbeat({ events, pool: queuePool, log: options.context.log });
  const runner: Runner = await run({
    events,
    pgPool: queuePool,
    taskList,
    concurrency: options.concurrency,
    noHandleSignals: true,
    logger: new WorkerLogger(() => (level, message) => {
      if (level === 'error' || level === 'warning') options.context.log.warn(message);
    }),
    parsedCronItems: parseCronItems(
      options.jobs.flatMap((job) =>
        job.kind === 'upkeep'
          ? [
              {
                task: job.name,
                match: job.schedule,
                identifier: job.name,
                options: { backfillPeriod: 0, maxAttempts: 1, jobKey: job.name },
              },
            ]
          : [],
      ),
    ),
  });
  const tickers = options.jobs.flatMap((job) =>
    job.kind === 'tick'
      ? [
          startTicker({
            everyMs: job.everyMs,
            atOnce: TICKS_AT_ONCE,
            run: () => runJob(options, job, {}).catch(() => {}), // which it has logged
          }),
        ]
      : [],
  );
  return {
    async stop() {
      await Promise.all([runner.stop(), ...tickers.map((ticker) => ticker.stop())]);
      await heartbeat.stop();
      await queuePool.end();
    },
  };
}

/** One run of one job; throws when it is to be tried again. */
export async function runJob(
  options: Omit<WorkerOptions, 'directUrl' | 'concurrency'>,
  job: Job,
  payload: unknown,
): Promise<void> {
  const ctx: JobContext = { ...options.context, now: options.clock.now() };
  try {
    options.observe(job.name, await resultOf(options, job, payload, ctx));
  } catch (error) {
    options.observe(job.name, 'retried');
    if (!(error instanceof StillPending))
      ctx.log.warn({ err: error, job: job.name }, 'a job will be tried again');
    throw error;
  }
}

async function resultOf(
  options: Pick<WorkerOptions, 'pool' | 'ports'>,
  job: Job,
  payload: unknown,
  ctx: JobContext,
): Promise<'done' | 'nothing' | 'refused'> {
  if (job.kind === 'command') return await runCommand(options, job, payload, ctx);
  if (job.kind === 'book') await job.run(options.pool, ctx, job.payload.parse(payload), options.ports);
  else await job.run(options.pool, ctx, options.ports);
  return 'done';
}

async function runCommand(
  options: Pick<WorkerOptions, 'pool' | 'ports'>,
  job: Job & { kind: 'command' },
  payload: unknown,
  ctx: JobContext,
): Promise<'done' | 'nothing' | 'refused'> {
  const { pool, ports } = options;
  const state = await job.load(pool, ctx, job.payload.parse(payload));
  if (state === null) return 'nothing';
  try {
    if (await isSafeMode(pool)) throw new StillPending('safe mode is on: hostkeep safe-mode off');
    const outcome = await job.command(ports, state, ctx);
    if (outcome.kind === 'pending') throw new StillPending(`${outcome.step} (${outcome.progress} %)`);
    await inFrame(pool, ctx.now, job.accounts(state), (tx, frame) =>
      job.finish(tx, { ...ctx, frame }, state, outcome),
    );
    return outcome.kind;
  } catch (error) {
    await job.release?.(pool, state);
    throw error;
  }
}
