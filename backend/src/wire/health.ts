import type { Clock } from '../base/clock.ts';
import type { CatalogStore } from '../business/core/catalog/versions.ts';
import type { Executor } from '../db/pool.ts';
import { type OperatingState, readOperatingState } from '../work/operating-state.ts';
import type { QueueState } from '../work/queue-state.ts';

/** One thing that has to be well. `detail` may name hosts and files: it is for the log and the operator only. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail?: string;
}

export interface HealthOptions {
  readonly db: Executor;
  readonly catalogs: Pick<CatalogStore, 'current'>;
  readonly clock: Clock;
  /** Further reasons not to get requests, looked at each time without waiting: draining, a clock that is off. */
  readonly reasons: readonly (() => Check)[];
}

/** The answer to a question of a load balancer comes before that gives up. */
const DEADLINE_MS = 1_500;
const KEPT_MS = 1_000;

/**
 * Whether this process should get requests. The database is asked once at a time and its answer kept for a second, so
 * that questions cost nothing however many come; one that hangs is answered for after a deadline.
 */
export class Health {
  readonly #options: HealthOptions;
  #asking: Promise<Check[]> | null = null;
  #kept: { readonly checks: Check[]; readonly at: number } | null = null;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  async checks(): Promise<Check[]> {
    return [...(await this.#database()), ...this.#options.reasons.map((reason) => reason())];
  }

  async #database(): Promise<Check[]> {
    if (this.#kept !== null && performance.now() - this.#kept.at < KEPT_MS) return this.#kept.checks;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    const late = Promise.withResolvers<Check[]>();
    const timer = setTimeout(
      () => late.resolve([{ name: 'database', ok: false, detail: 'no answer before the deadline' }]),
      DEADLINE_MS,
    );
    try {
      return await Promise.race([this.#asking, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #ask(): Promise<Check[]> {
    let checks: Check[];
    try {
      const { db, catalogs, clock } = this.#options;
      const state = await readOperatingState(db, clock.now());
      catalogs.current();
      checks = [
        { name: 'database', ok: true },
        { name: 'writable', ok: state.writable },
      ];
    } catch (error) {
      checks = [
        { name: 'database', ok: false, detail: error instanceof Error ? error.message : String(error) },
      ];
    }
    this.#kept = { checks, at: performance.now() };
    return checks;
  }
}

export interface Finding {
  readonly ok: boolean;
  readonly what: string;
  readonly advice?: string;
}

const MINUTE = 60;

/** What the state of the work means to the operator. */
export function workFindings(state: OperatingState): Finding[] {
  const { workers, oldestJob, oldestOrder, oldestMail } = state;
  return [
    {
      ok: workers > 0,
      what:
        workers > 0
          ? `workers that live: ${workers}`
          : 'no worker lives: nothing that was ordered is delivered',
      advice: 'start hostkeep worker, or hostkeep serve without --no-worker',
    },
    {
      ok: (oldestJob ?? 0) < 5 * MINUTE,
      what: `jobs that could run: ${state.readyJobs}${since(oldestJob)}`,
      advice:
        'the log of the workers says what they do; raise HOSTKEEP_WORKERS or start another hostkeep worker',
    },
    {
      ok: (oldestOrder ?? 0) < 60 * MINUTE,
      what: `orders that are pending: ${state.pendingOrders}${since(oldestOrder)}`,
      advice: 'the log of the workers says what the back ends answer; a transfer may take its registry days',
    },
    {
      ok: (oldestMail ?? 0) < 10 * MINUTE,
      what: `mails that wait: ${state.mailsWaiting}${since(oldestMail)}, tried before: ${state.mailsFailing}`,
      advice: 'check HOSTKEEP_SMTP_URL and that a worker lives',
    },
    {
      ok: state.writable,
      what: `the database ${state.writable ? 'takes' : 'takes no'} writes`,
      advice: 'DATABASE_URL leads to a standby or a read-only server: let it lead to the primary',
    },
  ];
}

/** What the queue and its schedule mean to the operator. */
export function queueFindings({ queueDepths, deadJobs, lastCronRunAge }: QueueState): Finding[] {
  const dead = queueDepths.flatMap((depth) => (depth.dead > 0 ? [`${depth.job} (${depth.dead})`] : []));
  return [
    {
      ok: deadJobs === 0,
      what: `jobs that used up their attempts: ${deadJobs}${deadJobs === 0 ? '' : `: ${dead.join(', ')}`}`,
      advice: 'the log of the workers says why they failed; maintenance comes again by its schedule',
    },
    schedule(lastCronRunAge),
  ];
}

/** null: it never ran, as before the first minute of the first worker. */
function schedule(age: number | null): Finding {
  if (age === null) return { ok: true, what: 'maintenance has not been due yet' };
  // What is two minutes ahead is what a worker passes over: a clock is a little wrong at times.
  if (age < -2 * MINUTE)
    return {
      ok: false,
      what: `maintenance was last due ${Math.floor(-age / MINUTE)} min in the future`,
      advice:
        'a clock was, or is, wrong: compare those of the database and of the machines; the next worker goes on',
    };
  return {
    ok: age < 5 * MINUTE,
    what: `maintenance was last due ${Math.max(0, Math.floor(age / MINUTE))} min ago`,
    advice: 'it is due every minute: start hostkeep worker, and look at its log',
  };
}

/** From here on a clock is wrong rather than read late. */
const CLOCK_OFF_MS = 2_000;

/** The database's clock counts, so a wrong one of this machine is no reason not to get requests. */
export function clockFinding(aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 100) / 10;
  return {
    ok: Math.abs(aheadMs) < CLOCK_OFF_MS,
    what: `the clock of this machine is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the database's`,
    advice: 'set both by NTP: logs and certificates go by the clocks of the machines',
  };
}

function since(seconds: number | null): string {
  return seconds === null || seconds < MINUTE ? '' : `, the oldest for ${Math.floor(seconds / MINUTE)} min`;
}
