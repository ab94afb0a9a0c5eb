import type { Kysely } from 'kysely';
import pg from 'pg';
import { connectionTo } from './connection.ts';
import { kyselyOver } from './kysely.ts';
import type { Rows } from './rows.generated.ts';
import { Settlement } from './settlement.ts';
import { encodeValues, type SqlValue, type Statement } from './statement.ts';

/** What runs statements: a pool (each on any connection) or a transaction (all on one). */
export interface Executor {
  /** Runs a prepared statement; in a transaction it is sent at once, without waiting for the ones before it. */
  run<Row extends object>(statement: Statement<Row>, values: readonly SqlValue[]): Promise<Row[]>;
  readonly kysely: Kysely<Rows>;
}

export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly lockTimeoutMs?: number;
  /**
   * What the server gives a statement. Two seconds later the program gives up on the server: it closes the connection,
   * and the statement fails, whatever the server does.
   */
  readonly statementTimeoutMs?: number;
  /** For a connection: to be made, or to become free. */
  readonly connectTimeoutMs?: number;
  /** For finding out what became of a transaction whose COMMIT got no answer. */
  readonly settleWithinMs?: number;
  /** The database role of the application, which cannot rewrite the ledger; none for migrations. */
  readonly role?: string;
  /** false: commits are acknowledged before they are durable (counters, read marks). */
  readonly synchronousCommit?: boolean;
}

const STATEMENT_TIMEOUT_MS = 30_000;
/** For the server's own refusal of a statement to arrive. */
const MARGIN_MS = 2_000;
const CONNECT_TIMEOUT_MS = 10_000;

const types = new pg.TypeOverrides();
const OID = { int8: 20, date: 1082, timestamptz: 1184, int8Array: 1016 };
types.setTypeParser(OID.int8, BigInt);
types.setTypeParser(OID.date, (text) => text);
types.setTypeParser(OID.timestamptz, (text) => Temporal.Instant.from(text));

/** A pool of pipelining connections: statements sent together share a round trip. */
export class Pool implements Executor {
  readonly pg: pg.Pool;
  readonly kysely: Kysely<Rows>;
  /** Finds out what became of transactions whose COMMIT got no answer. */
  readonly settlement: Settlement;

  constructor(options: PoolOptions) {
    const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
    const role = options.role === undefined ? '' : `-c role=${options.role}`;
    const settings = [
      '-c timezone=UTC',
      role,
      `-c lock_timeout=${options.lockTimeoutMs ?? 2_000}`,
      `-c statement_timeout=${statementTimeoutMs}`,
      // Tables grow after statements were planned: a plan that reads a whole table must never be kept.
      '-c enable_seqscan=off',
      // Hot statements read arrays whose length says nothing about the best plan: plan once, not at each run.
      '-c plan_cache_mode=force_generic_plan',
      `-c idle_in_transaction_session_timeout=30000`,
      options.synchronousCommit === false ? '-c synchronous_commit=off' : '',
    ];
    this.pg = new pg.Pool({
      ...connectionTo(options.url),
      max: options.size,
      idleTimeoutMillis: 60_000,
      // A burst waits for its turn rather than being turned away.
      connectionTimeoutMillis: connectTimeoutMs,
      // Closes the connection: of what was sent on it after a statement that hangs, nothing is answered either.
      query_timeout: statementTimeoutMs + MARGIN_MS,
      application_name: options.name,
      options: settings.filter((setting) => setting !== '').join(' '),
      types,
      keepAlive: true,
      ...{ pipeline: true },
    });
    // A connection that breaks while idle is replaced at its next use; nothing is lost with it.
    this.pg.on('error', () => {});
    // Also while nothing runs on one that is taken: the server's last words may come with the answer before them.
    this.pg.on('connect', (client) => client.on('error', () => {}));
    this.kysely = kyselyOver((config) => this.pg.query(config));
    this.settlement = new Settlement({
      url: options.url,
      connection: {
        application_name: `${options.name}-settle`,
        options: role,
      },
      ...(options.settleWithinMs === undefined ? {} : { withinMs: options.settleWithinMs }),
    });
  }

  async run<Row extends object>(statement: Statement<Row>, values: readonly SqlValue[]): Promise<Row[]> {
    const result = await this.pg.query<Row>({
      name: statement.name,
      text: statement.text,
      values: encodeValues(values),
    });
    return result.rows;
  }

  end(): Promise<void> {
    return this.pg.end();
  }
}
