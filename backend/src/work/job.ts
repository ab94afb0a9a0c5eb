import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Sealer } from '../base/seal.ts';
import type { Signer } from '../base/sign.ts';
import type { Instant } from '../base/time.ts';
import type { CatalogStore } from '../business/core/catalog/versions.ts';
import type { Executor, Pool } from '../db/pool.ts';
import type { Transaction } from '../db/transaction.ts';
import type { CommandOutcome } from '../drivers/outcome.ts';
import type { CommandPorts } from '../drivers/ports.ts';
import type { StorageQueries } from '../drivers/storage/port.ts';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts';
import type { Priority } from './priority.ts';

/** What a job gets, besides the database or the ports. */
export interface JobContext {
  /** Read once per run. */
  readonly now: Instant;
  readonly catalogs: CatalogStore;
  readonly sealer: Sealer;
  readonly signer: Signer;
  readonly log: Logger;
}

/**
 * Work on a back end, in three steps that cannot be mixed up: `load` reads what is wanted (null: nothing is
 * left to do), `command` calls the driver with no connection held, `finish` writes the outcome, with its
 * accounts locked. It may run twice, also after a crash between command and finish: commands are phrased as
 * the wanted state, and `finish` looks again before it writes. Whatever `command` throws is tried again with
 * growing delay.
 */
export interface CommandJob<P extends z.ZodType, State, Result> {
  readonly name: string;
  readonly payload: P;
  /** A person waits for it, unless said. */
  readonly priority?: Priority;
  load(db: Executor, ctx: JobContext, payload: z.output<P>): Promise<State | null>;
  command(ports: CommandPorts, state: State, ctx: JobContext): Promise<CommandOutcome<Result>>;
  /** Gives back what `load` took for the time of the command, when it was not finished. */
  release?(db: Executor, state: State): Promise<void>;
  /**
   * The back end that is commanded: `hypervisor:HOST/NODE`, `registry:CONNECTION`, `webserver:HOST` or `dns:primary`. What
   * has no outcome there is tried again as soon as it answers, without waiting for the job's own delay.
   */
  backend?(state: State): string;
  /** What log lines name, and the tasks whose customers learn what is wrong. */
  about?(state: State): {
    readonly order_id?: string;
    readonly service_id?: string;
    readonly tasks?: readonly string[];
  };
  /** The accounts whose money or events `finish` touches. */
  accounts(state: State): readonly string[];
  finish(
    tx: Transaction,
    ctx: JobContext & { readonly uow: UnitOfWork },
    state: State,
    outcome: Exclude<CommandOutcome<Result>, { kind: 'pending' }>,
  ): Promise<void>;
}

/** Upkeep that needs the pool itself: many small transactions, or a pass over everything. */
export interface MaintenanceJob {
  readonly name: string;
  /** Maintenance, unless said. */
  readonly priority?: Priority;
  /** When it runs, in cron's words, UTC. */
  readonly schedule: string;
  run(pool: Pool, ctx: JobContext, ports: CommandPorts): Promise<void>;
}

/**
 * Work on our own books about one thing: runs until it succeeds, so it looks before it writes. It commands no back end,
 * and reads at most what belongs to the books and is stored beside them.
 */
export interface BookJob<P extends z.ZodType> {
  readonly name: string;
  readonly payload: P;
  /** A person waits for it, unless said. */
  readonly priority?: Priority;
  run(
    pool: Pool,
    ctx: JobContext,
    payload: z.output<P>,
    ports: { readonly storage: StorageQueries },
  ): Promise<void>;
}

/**
 * Something that is looked for all the time, in every process that works, since nobody enqueues it. Runs may overlap,
 * in one process too: each takes what no other has.
 */
export interface TickJob {
  readonly name: string;
  readonly everyMs: number;
  run(pool: Pool, ctx: JobContext, ports: CommandPorts): Promise<void>;
}

/** The erased form that the worker sees. */
export type Job =
  | ({ readonly kind: 'command' } & CommandJob<z.ZodType, unknown, unknown>)
  | ({ readonly kind: 'book' } & BookJob<z.ZodType>)
  | ({ readonly kind: 'maintenance' } & MaintenanceJob)
  | ({ readonly kind: 'tick' } & TickJob);

export function commandJob<P extends z.ZodType, State, Result>(
  definition: CommandJob<P, State, Result>,
): Job {
  return { kind: 'command', ...definition } as unknown as Job;
}

export function bookJob<P extends z.ZodType>(definition: BookJob<P>): Job {
  return { kind: 'book', ...definition } as unknown as Job;
}

export function maintenanceJob(definition: MaintenanceJob): Job {
  return { kind: 'maintenance', ...definition };
}

export function tickJob(definition: TickJob): Job {
  return { kind: 'tick', ...definition };
}

/** When its turn comes among all that waits. */
export function jobPriority(job: Exclude<Job, { kind: 'tick' }>): Priority {
  return job.priority ?? (job.kind === 'maintenance' ? 'maintenance' : 'interactive');
}
