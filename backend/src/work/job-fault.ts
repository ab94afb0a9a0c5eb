import { AsyncLocalStorage } from 'node:async_hooks';
import type { Instant } from '../base/time.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

/** A job as its faults know it: by what it does, not by its number, which the next one of its key does not have. */
export interface KnownJob {
  readonly name: string;
  /** Empty for what runs every few seconds in each worker. */
  readonly key: string;
}

const running = new AsyncLocalStorage<KnownJob>();

/** Runs a job so that an error of it that nothing catches, now or in a callback later, is known to be its. */
export function asJob<T>(job: KnownJob, work: () => Promise<T>): Promise<T> {
  return running.run(job, work);
}

/** The job that this call comes from; null: it comes from none. */
export function callingJob(): KnownJob | null {
  return running.getStore() ?? null;
}

const note = statement<{ times: number }>(
  'note_job_fault',
  `INSERT INTO job_faults AS f (name, key, times, last_at, error) VALUES ($1, $2, 1, $3, $4)
   ON CONFLICT (name, key) DO UPDATE SET error = excluded.error, last_at = excluded.last_at,
     times = CASE WHEN f.last_at > excluded.last_at - interval '1 day' THEN f.times + 1 ELSE 1 END
   RETURNING times`,
);
const list = statement<KnownJob>('list_jobs_set_aside', 'SELECT name, key FROM job_faults WHERE times >= 2');
const find = statement<{ error: string }>(
  'find_job_set_aside',
  'SELECT error FROM job_faults WHERE name = $1 AND key = $2 AND times >= 2',
);
const clear = statement<object>('clear_job_faults', 'DELETE FROM job_faults WHERE name = $1 AND key = $2');
const giveUp = statement<object>('set_job_aside', 'SELECT set_job_aside($1)');

/** Notes that a job ended its process; answers how often within a day of each other. After the second time none runs. */
export async function noteFault(db: Executor, job: KnownJob, error: string, now: Instant): Promise<number> {
  const [noted] = await db.run(note, [job.name, job.key, now, error.slice(0, 2_000)]);
  return noted?.times ?? 1;
}

/** Lets a job run again that was set aside. */
export async function clearFaults(db: Executor, job: KnownJob): Promise<void> {
  await db.run(clear, [job.name, job.key]);
}

/** A job that ended its process twice: it runs again once an operator begins it anew. */
export class JobSetAside extends Error {
  override readonly name = 'JobSetAside';
}

/** The jobs that no worker runs. */
export class SetAside {
  readonly #db: Executor;
  #known = new Set<string>();

  constructor(db: Executor) {
    this.#db = db;
  }

  /** Looks what other processes have found out. */
  async look(): Promise<void> {
    const rows = await this.#db.run(list, []);
    this.#known = new Set(rows.map(titleOf));
  }

  /** Throws for a job that is set aside, and takes its attempts from `id` in the queue, so that it is dead. */
  async refuse(job: KnownJob, id: string | null): Promise<void> {
    if (!this.#known.has(titleOf(job))) return;
    // An operator may have let it run again a moment ago.
    const [found] = await this.#db.run(find, [job.name, job.key]);
    if (found === undefined) return;
    if (id !== null) await this.#db.run(giveUp, [id]);
    throw new JobSetAside(`it ended its process twice and is set aside: ${found.error}`);
  }
}

function titleOf({ name, key }: KnownJob): string {
  return `${name} ${key}`;
}
