import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { connectionTo } from '../db/connection.ts';
import { isConnectionLoss } from '../db/connection-loss.ts';
import { QUEUE_ROLE } from '../db/migrate.ts';

/** The statements of graphile-worker by which a job leaves this worker, by the beginning of their names. */
const RELEASES = /^(complete|fail)_job/;
const PAUSE_MS = 500;
/** For the queue's statements, which touch a few rows each. */
const STATEMENT_MS = 30_000;

const plainQuery = pg.Client.prototype.query as (...args: unknown[]) => Promise<unknown>;

/**
 * The connections of the job queue. graphile-worker writes what became of a job without waiting for it, and ends the
 * process when that fails, as it does whenever the database goes away. Here these statements, which may be repeated, are
 * sent again on other connections until the database has answered: the worker outlives the database, and no outcome is
 * lost.
 */
export class QueuePool extends pg.Pool {
  #givesUp = false;

  constructor({ url, size }: { readonly url: string; readonly size: number }) {
    super({
      ...connectionTo(url),
      max: size,
      application_name: 'hostkeep-queue',
      options: `-c role=${QUEUE_ROLE}`,
      connectionTimeoutMillis: 10_000,
      query_timeout: STATEMENT_MS,
      keepAlive: true,
    });
    this.on('error', () => {});
    this.on('connect', (client) => {
      client.on('error', () => {});
      const send = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
      const query = (...args: unknown[]): Promise<unknown> => {
        if (!isRelease(args[0])) return send(...args);
        return send(...args).catch((error: unknown) => this.#again(args, error));
      };
      Object.assign(client, { query });
    });
  }

  /** From now on what fails has failed: the worker is ending, and its jobs are freed when it has. */
  giveUp(): void {
    this.#givesUp = true;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(
    callback: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: unknown) => void,
    ) => void,
  ): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    // Statements of the pool itself come by a callback: who sends them sees to their failures.
    if (callback !== undefined) {
      super.connect(callback);
      return undefined;
    }
    return this.#connected();
  }

  async #connected(): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return await super.connect();
      } catch (error) {
        if (!isConnectionLoss(error) || this.#givesUp) throw error;
        await setTimeout(PAUSE_MS);
      }
    }
  }

  async #again(args: unknown[], first: unknown): Promise<unknown> {
    let error = first;
    while (isConnectionLoss(error) && !this.#givesUp) {
      await setTimeout(PAUSE_MS);
      try {
        const client = await this.connect();
        try {
          // The connection's own: the one above would come here again.
          return await plainQuery.apply(client, args);
        } finally {
          client.release();
        }
      } catch (next) {
        error = next;
      }
    }
    throw error;
  }
}

function isRelease(config: unknown): boolean {
  const { name } = (config ?? {}) as { name?: unknown };
  return typeof name === 'string' && RELEASES.test(name);
}
