import type { Kysely } from 'kysely';
import type pg from 'pg';
import { type CommitMarker, newCommitMarker, WRITE_MARKER } from './commit-marker.ts';
import { kyselyOver } from './kysely.ts';
import type { Executor, Pool } from './pool.ts';
import type { Rows } from './rows.generated.ts';
import { encodeValues, type SqlValue, type Statement } from './statement.ts';

/** The transaction was rolled back for a reason that running it again may cure. */
export class TransactionAborted extends Error {
  override readonly name = 'TransactionAborted';
}

/** The connection was lost during COMMIT, and no proof of what became of it could be had in time. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

const kyselyOf = new WeakMap<pg.PoolClient, Kysely<Rows>>();

/** A transaction (READ COMMITTED). It is the only thing that writes. */
export class Transaction implements Executor {
  /** What it leaves behind when it is committed. */
  readonly marker: CommitMarker;
  readonly #client: pg.PoolClient;
  readonly #begun: Promise<unknown>;
  #left: Promise<unknown> = Promise.resolve();
  #failure: unknown = null;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    this.marker = newCommitMarker(client);
    // The first statements of the work follow without waiting for the answers.
    this.#begun = Promise.all([
      client.query('BEGIN'),
      client.query({ ...WRITE_MARKER, values: [this.marker.slot, this.marker.marker] }),
    ]);
    this.#begun.catch((error: unknown) => this.#note(error));
  }

  async run<Row extends object>(statement: Statement<Row>, values: readonly SqlValue[]): Promise<Row[]> {
    const sent = this.#client.query<Row>({
      name: statement.name,
      text: statement.text,
      values: encodeValues(values),
    });
    const result = await sent.catch((error: unknown) => {
      this.#note(error);
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
    return sqlState(error) === ABORTED ? (this.#failure ?? error) : error;
  }

  /** An error that only says that another came before is kept until that one is seen. */
  #note(error: unknown): void {
    if (this.#failure === null || sqlState(this.#failure) === ABORTED) this.#failure = error;
  }

  /** The first error of a statement, if one failed. */
  get failure(): unknown {
    return this.#failure;
  }

  /** The marker is written: to be waited for before COMMIT is sent, so that a lost answer can be asked for. */
  async begun(): Promise<void> {
    await this.#begun;
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
  const outcome = await runOn(client, work);
  if (outcome.kind === 'done') return outcome.result;
  if (outcome.kind === 'failed') throw outcome.error;
  // The connection has left the pool: what is lost must not keep others from theirs.
  const settled = await pool.settlement.settle(outcome.marker);
  if (settled === 'committed') return outcome.result;
  if (settled === 'rolled_back')
    throw new TransactionAborted('the connection was lost before COMMIT took effect', {
      cause: outcome.cause,
    });
  throw new CommitUnknown('no proof of what became of a transaction could be had in time', {
    cause: outcome.cause,
  });
}

type Outcome<T> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  | {
      readonly kind: 'lost';
      readonly result: T;
      readonly marker: CommitMarker;
      readonly cause: unknown;
    };

/** Uses the connection for one transaction, and gives it back: to the pool, or, when it broke, to nothing. */
async function runOn<T>(client: pg.PoolClient, work: (tx: Transaction) => Promise<T>): Promise<Outcome<T>> {
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
      await tx.begun();
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure;
      });
      // The server became a standby: the next connection looks for the one that writes now.
      if (sqlState(tx.reasonOf(error)) === READ_ONLY) broken ??= new Error('the server only reads');
      return { kind: 'failed', error: tx.reasonOf(error) };
    }
    const [left, committed] = await Promise.allSettled([tx.left, client.query('COMMIT')]);
    if (committed.status === 'rejected') {
      // The server itself refused it, a deferred constraint for example: nothing was committed, nothing is lost.
      if (isRefused(committed.reason)) return { kind: 'failed', error: committed.reason };
      broken = committed.reason as Error;
      return { kind: 'lost', result, marker: tx.marker, cause: committed.reason };
    }
    if (left.status === 'rejected' && sqlState(tx.reasonOf(left.reason)) === READ_ONLY)
      broken = new Error('the server only reads');
    if (left.status === 'rejected') return { kind: 'failed', error: tx.reasonOf(left.reason) };
    // COMMIT of a transaction in which a statement failed answers ROLLBACK.
    if (committed.value.command !== 'COMMIT')
      return {
        kind: 'failed',
        error: new TransactionAborted('a statement failed before COMMIT', { cause: tx.failure }),
      };
    return { kind: 'done', result };
  } finally {
    client.removeListener('error', onError);
    client.release(broken);
  }
}

/** SQLSTATE in_failed_sql_transaction. */
const ABORTED = '25P02';
/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006';

/** An answer of the server after which the connection goes on, rather than its end. */
function isRefused(error: unknown): boolean {
  return (error as { severity?: unknown } | null)?.severity === 'ERROR';
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
