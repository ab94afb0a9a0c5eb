import { Logger, runOnce } from 'graphile-worker';
import pg from 'pg';
import { jobs } from '../backend/src/jobs.generated.ts';
import { runJob } from '../backend/src/work/run-job.ts';
import { openWorld } from './world.ts';

/** What a worker is told to do: the jobs of a schedule, then all that waits. */
export interface Shift {
  readonly url: string;
  readonly now: string;
  /** Names of maintenance jobs. */
  readonly upkeep: readonly string[];
  /** The statement before which the process is killed; null: it lives. */
  readonly dieAt: number | null;
}

export interface Done {
  /** How many statements it took. */
  readonly statements: number;
  /** Jobs that are going to be tried again, with their errors. */
  readonly failures: readonly string[];
}

/** How often a shift looks again at what waits for other work of it. */
const ROUNDS = 4;

/** The queue says that it is done before it has written that its last jobs are. */
const UNDER_WAY = 'SELECT FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL';

let statements = 0;
let dieAt: number | null = null;

// Named points rather than chance: the n-th statement of a shift is always the same one.
const send = pg.Client.prototype.query as (...args: unknown[]) => unknown;
pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
  // How often it is asked for differs.
  if (args[0] === UNDER_WAY) return send.apply(this, args);
  statements += 1;
  if (dieAt !== null && statements >= dieAt) process.kill(process.pid, 'SIGKILL');
  return send.apply(this, args);
} as typeof pg.Client.prototype.query;

let opened: Promise<{
  work(shift: Shift): Promise<string[]>;
}> | null = null;

async function open(url: string) {
  const world = await openWorld(url, 'simulated-worker', Temporal.Instant.from('2027-01-01T00:00:00Z'));
  const queue = new pg.Pool({ connectionString: url, max: 6 });
  queue.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const { clock, pool, ports, catalogs, sealer, signer, log } = world;
  const options = { jobs, pool, ports, clock, context: { catalogs, sealer, signer, log }, observe: () => {} };
  return {
    async work({ now, upkeep }: Shift): Promise<string[]> {
      clock.set(Temporal.Instant.from(now));
      const failures: string[] = [];
      // What waits for other work, a zone to be served say, is no failure unless it waits for good.
      let waiting: string[] = [];
      const tried = async (name: string, work: () => Promise<void>) => {
        await work().catch((error: unknown) => {
          const waits = error instanceof Error && error.name === 'StillPending';
          (waits ? waiting : failures).push(`${name}: ${String(error)}`);
          throw error;
        });
      };
      const ticks = jobs.filter((job) => job.kind === 'tick');
      for (const job of jobs.filter(({ name }) => upkeep.includes(name))) {
        await tried(job.name, () => runJob(options, job, {})).catch(() => {});
      }
      for (let round = 0; round < ROUNDS && (round === 0 || waiting.length > 0); round += 1) {
        waiting = [];
        // What failed waits by the real clock: here it is tried again at each shift.
        await queue.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now()');
        await runOnce({
          pgPool: queue,
          concurrency: 2,
          noHandleSignals: true,
          logger: new Logger(() => () => {}),
          taskList: Object.fromEntries(
            jobs.map((job) => [
              job.name,
              (payload: unknown) => tried(job.name, () => runJob(options, job, payload)),
            ]),
          ),
        });
        while ((await queue.query(UNDER_WAY)).rows.length > 0);
        for (const job of ticks) await tried(job.name, () => runJob(options, job, {})).catch(() => {});
      }
      return [...failures, ...waiting];
    },
  };
}

process.on('message', async (shift: Shift) => {
  try {
    opened ??= open(shift.url);
    const worker = await opened;
    statements = 0;
    dieAt = shift.dieAt;
    const failures = await worker.work(shift);
    process.send?.({ statements, failures } satisfies Done);
  } catch (error) {
    process.send?.({ error: error instanceof Error ? String(error.stack) : String(error) });
  }
});
process.on('disconnect', () => process.exit(0));
