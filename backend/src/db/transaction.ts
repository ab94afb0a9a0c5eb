import type { Kysely } from 'kysely';
import type pg from 'pg';
import { kyselyOver } from './kysely.ts';
import type { Executor, Pool } from './pool.ts';
import type { Rows } from './rows.generated.ts';
import { encodeValues, type SqlValue, type Statement } from './statement.ts';

/** The transaction was rolled back for a reason that running it again may cure. */
export class TransactionAborted extends Error {
  override readonly name = 'TransactionAborted';
}

/** The connection was lost during COMMIT and the database could not be asked in time what became of it. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

const kyselyOf = new WeakMap<pg.PoolClient, Kysely<Rows>>();

/** A transaction (READ COMMITTED). It is the only thing that writes. */
export class Transaction implements Executor {
  readonly #client: pg.PoolClient;
  readonly #xid: Promise<string>;
  #left: Promise<unknown> = Promise.resolve();
  #failure: unknown = null;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    // Two statements in one message; the first statements of the work follow without waiting for the answer.
    const begun = client.query('BEGIN; SELECT pg_current_xact_id()::text AS xid');
    this.#xid = begun.then(
      (results) => (results as unknown as pg.QueryResult<{ xid: string }>[])[1]?.rows[0]?.xid ?? '',
    );
    this.#xid.catch(() => {});
  }

  async run<Row extends object>(statement: Statement<Row>, values: readonly SqlValue[]): Promise<Row[]> {
    const sent = this.#client.query<Row>({
      name: statement.name,
      text: statement.text,
      values: encodeValues(values),
    });
    const result = await sent.catch((error: unknown) => {
      this.#failure ??= error;
      throw error;
    });
    return result.rows;
  }

  get kysely(): Kysely<Rows> {
    const client = this.#client;
    let kysely = kyselyOf.get(client);
    if (kysely === undefined) {
      kysely = kyselyOver((config) => client.query(config));
      kyselyOf.set(client, kysely);
    }
    return kysely;
  }

  /**
   * Leaves the last statements of the work to be waited for together with COMMIT, which then follows them
   * without another round trip. They must be all that the transaction writes: should the client itself fail to
   * send them, COMMIT would end a transaction without effect.
   */
  leave(sent: Promise<unknown>): void {
    this.#left = sent;
    sent.catch(() => {});
  }

  get left(): Promise<unknown> {
    return this.#left;
  }

  /**
   * Of statements that were sent together, those behind the one that failed are refused as well (25P02), and
   * their errors may be seen first. This is the one that says why.
   */
  reasonOf(error: unknown): unknown {
    return sqlState(error) === '25P02' ? (this.#failure ?? error) : error;
  }

  /** Known before COMMIT is sent, so that a lost answer can be asked for. */
  xid(): Promise<string> {
    return this.#xid;
  }
}

/**
 * Runs `work` in a transaction and commits it; a rejected `work` rolls back.
 *
 * Guarantees (rule A7): when this returns, the transaction is committed; when it throws anything but
 * {@link CommitUnknown}, it is rolled back.
 */
export async function transaction<T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.pg.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    const tx = new Transaction(client);
    let result: T;
    try {
      result = await work(tx);
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure;
      });
      throw tx.reasonOf(error);
    }
    const xid = await tx.xid();
    const [left, committed] = await Promise.allSettled([tx.left, client.query('COMMIT')]);
    if (committed.status === 'rejected') {
      broken = committed.reason as Error;
      await settleLostCommit(pool, xid);
      return result;
    }
    if (left.status === 'rejected') throw tx.reasonOf(left.reason);
    // COMMIT of a transaction in which a statement failed answers ROLLBACK.
    if (committed.value.command !== 'COMMIT')
      throw new TransactionAborted('a statement failed before COMMIT');
    return result;
  } finally {
    client.removeListener('error', onError);
    client.release(broken);
  }
}

const SETTLE_ATTEMPTS = 50;
const SETTLE_INTERVAL_MS = 100;

/** Asks on new connections, for five seconds, what became of a transaction whose COMMIT got no answer. */
async function settleLostCommit(pool: Pool, xid: string): Promise<void> {
  for (let attempt = 0; attempt < SETTLE_ATTEMPTS; attempt += 1) {
    const status = await pool.pg
      .query<{ status: string | null }>('SELECT pg_xact_status($1::xid8) AS status', [xid])
      .then((answer) => answer.rows[0]?.status ?? null)
      .catch(() => null);
    if (status === 'committed') return;
    if (status === 'aborted')
      throw new TransactionAborted('the connection was lost before COMMIT took effect');
    await new Promise((resolve) => setTimeout(resolve, SETTLE_INTERVAL_MS));
  }
  throw new CommitUnknown(`the outcome of transaction ${xid} could not be found out`);
}

/** The SQLSTATE of a database error, or null. */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** Whether another transaction held a row for longer than this one's lock_timeout allows to wait. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** The name of the constraint that a database error violated, or null. */
export function violatedConstraint(error: unknown): string | null {
  const constraint = (error as { constraint?: unknown } | null)?.constraint;
  return typeof constraint === 'string' && sqlState(error)?.startsWith('23') ? constraint : null;
}

/** Deadlock, serialisation failure, or a proven rollback: worth one more run from the start. */
export function isTransient(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40P01' || state === '40001' || error instanceof TransactionAborted;
}
