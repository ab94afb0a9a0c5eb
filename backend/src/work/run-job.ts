import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import {
  backendRecovered,
  clearTrouble,
  commandState,
  noteFailure,
} from '../business/core/backends/failing-backend.ts';
import type { Pool } from '../db/pool.ts';
import { BackendUnavailable } from '../drivers/outcome.ts';
import type { CommandPorts } from '../drivers/ports.ts';
import { inUnitOfWork } from '../unit-of-work/unit-of-work.ts';
import { BackendBusy, type BackendSlots } from './backend-slots.ts';
import { isExpected, StillPending, spareAttempts } from './expected-failure.ts';
import type { Job, JobContext } from './job.ts';

/** What running a job needs, in a worker or without one. */
export interface RunOptions {
  readonly pool: Pool;
  readonly ports: CommandPorts;
  readonly clock: Clock;
  readonly context: Omit<JobContext, 'now'>;
  /** How many commands one back end may have at once; any number, unless said. */
  readonly slots?: BackendSlots;
  /** Counts each run by its result. */
  readonly observe: (job: string, result: 'done' | 'nothing' | 'refused' | 'retried') => void;
}

/** One run of a job of the queue, by its number there. What was to be expected uses up no attempts. */
export async function runQueued(
  options: RunOptions,
  job: Job,
  payload: unknown,
  { id }: { readonly id: string },
): Promise<void> {
  try {
    await runJob(options, job, payload);
  } catch (error) {
    if (isExpected(error))
      await spareAttempts(options.pool, id).catch((err: unknown) =>
        options.context.log.warn({ err, job: job.name }, 'a failed run used up an attempt'),
      );
    throw error;
  }
}

/** One run of one job; throws when it is to be tried again. */
export async function runJob(options: RunOptions, job: Job, payload: unknown): Promise<void> {
  const { context, clock, observe } = options;
  const run = {
    log: job.kind === 'tick' ? context.log : context.log.child({ job: job.name, ...idsIn(payload) }),
  };
  try {
    observe(job.name, await resultOf(options, job, payload, { ...context, now: clock.now() }, run));
  } catch (error) {
    if (error instanceof BackendBusy) throw error;
    observe(job.name, 'retried');
    if (!(error instanceof StillPending))
      run.log.warn({ err: error, job: job.name }, 'a job will be tried again');
    throw error;
  }
}

/** A payload holds identifiers only, by the names that log lines have for them. */
function idsIn(payload: unknown): Readonly<Record<string, string>> {
  if (typeof payload !== 'object' || payload === null) return {};
  return Object.fromEntries(
    Object.entries(payload).filter(([name, value]) => name.endsWith('_id') && typeof value === 'string'),
  );
}

/** Its log knows more once the job has read what it is about. */
interface Run {
  log: Logger;
}

async function resultOf(
  options: Pick<RunOptions, 'pool' | 'ports' | 'slots'>,
  job: Job,
  payload: unknown,
  context: JobContext,
  run: Run,
): Promise<'done' | 'nothing' | 'refused'> {
  const ctx = { ...context, log: run.log };
  if (job.kind === 'command') return await runCommand(options, job, payload, ctx, run);
  if (job.kind === 'book') await job.run(options.pool, ctx, job.payload.parse(payload), options.ports);
  else await job.run(options.pool, ctx, options.ports);
  return 'done';
}

async function runCommand(
  options: Pick<RunOptions, 'pool' | 'ports' | 'slots'>,
  job: Job & { kind: 'command' },
  payload: unknown,
  context: JobContext,
  run: Run,
): Promise<'done' | 'nothing' | 'refused'> {
  const { pool, ports } = options;
  const state = await job.load(pool, context, job.payload.parse(payload));
  if (state === null) return 'nothing';
  const { tasks = [], ...named } = job.about?.(state) ?? {};
  run.log = run.log.child({
    ...named,
    account_id: job.accounts(state)[0],
    ...(tasks.length === 0 ? {} : { task_id: tasks.length === 1 ? tasks[0] : tasks }),
  });
  const ctx = { ...context, log: run.log };
  const backend = job.backend?.(state) ?? null;
  let giveSlot = () => {};
  try {
    if (backend !== null && options.slots !== undefined) giveSlot = options.slots.take(backend);
    const { safe, failing } = await commandState(pool, backend);
    if (safe) throw new StillPending('safe mode is on: hostkeep safe-mode off');
    const outcome = await job.command(ports, state, ctx).catch(async (error: unknown) => {
      const trouble = error instanceof BackendUnavailable ? 'no_answer' : 'unexpected';
      const reason = error instanceof Error ? error.message : String(error);
      const failure = { backend, job: job.name, payload, reason, trouble, tasks } as const;
      await noteFailure(pool, failure, ctx.now).catch((err: unknown) =>
        ctx.log.warn({ err }, 'a failure was not noted'),
      );
      throw error;
    });
    if (failing && backend !== null) await hurryOthers(pool, { backend, job: job.name, payload }, ctx);
    if (outcome.kind === 'pending') {
      await clearTrouble(pool, tasks);
      throw new StillPending(`${outcome.step} (${outcome.progress} %)`);
    }
    await inUnitOfWork(pool, ctx.now, job.accounts(state), (tx, uow) =>
      job.finish(tx, { ...ctx, uow }, state, outcome),
    );
    return outcome.kind;
  } catch (error) {
    await job.release?.(pool, state);
    throw error;
  } finally {
    giveSlot();
  }
}

/** What waits for a back end that answered is tried at once. Of no importance for the job that found out. */
async function hurryOthers(
  pool: Pool,
  answered: { readonly backend: string; readonly job: string; readonly payload: unknown },
  { log }: JobContext,
): Promise<void> {
  const { backend } = answered;
  try {
    log.info({ backend, jobs: await backendRecovered(pool, answered) }, 'a back end answers again');
  } catch (err) {
    log.warn({ err, backend }, 'what waits for a back end was not hurried');
  }
}
