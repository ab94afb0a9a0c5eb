import { type ChildProcess, fork } from 'node:child_process';
import pg from 'pg';
import type { Done, Shift } from './worker.ts';

/** The worker of a simulation: a process that can be killed, and is started again. */
export class WorkerProcess {
  #child: ChildProcess | null = null;
  deaths = 0;

  /** Does a shift; dies in it when told to, and then does it again from the start. */
  async work(shift: Shift): Promise<Done> {
    const done = await this.#call(shift);
    if (done !== 'died') return done;
    this.deaths += 1;
    await freeJobs(shift.url);
    const again = await this.#call({ ...shift, dieAt: null });
    if (again === 'died') throw new Error('the worker died without being told to');
    return again;
  }

  /** Ends it; the next shift starts another. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    await new Promise((resolve) => {
      child.once('exit', resolve);
      child.disconnect();
    });
  }

  #call(shift: Shift): Promise<Done | 'died'> {
    this.#child ??= fork(new URL('./worker.ts', import.meta.url), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const died = () => {
        this.#child = null;
        resolve('died');
      };
      child.once('exit', died);
      child.once('message', (reply: Done | { error: string }) => {
        child.removeListener('exit', died);
        if ('error' in reply) reject(new Error(reply.error));
        else resolve(reply);
      });
      child.send(shift);
    });
  }
}

/** Waits until the database has noticed the death, and gives back what the dead had taken: the sweep's work. */
async function freeJobs(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'simulated-api'
         AND backend_type = 'client backend'`,
    );
    await client.query(
      'UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE locked_at IS NOT NULL',
    );
    await client.query('UPDATE graphile_worker._private_job_queues SET locked_at = NULL, locked_by = NULL');
    // Over within a minute, which does not pass here before it is started again.
    await client.query('UPDATE zones SET lease = NULL, leased_until = NULL');
  } finally {
    await client.end();
  }
}
