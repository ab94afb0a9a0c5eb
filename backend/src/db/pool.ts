import type { Kysely } from 'kysely';
import pg from 'pg';
import { kyselyOver } from './kysely.ts';
import type { Rows } from './rows.generated.ts';
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
  readonly statementTimeoutMs?: number;
  /** The database role of the application, which cannot rewrite the ledger; none for migrations. */
  readonly role?: string;
  /** false: commits are acknowledged before they are durable (counters, read marks). */
  readonly synchronousCommit?: boolean;
}

const types = new pg.TypeOverrides();
const OID = { int8: 20, date: 1082, timestamptz: 1184, int8Array: 1016 };
types.setTypeParser(OID.int8, BigInt);
types.setTypeParser(OID.date, (text) => text);
types.setTypeParser(OID.timestamptz, (text) => Temporal.Instant.from(text));

/** A pool of pipelining connections: statements sent together share a round trip. */
export class Pool implements Executor {
  readonly pg: pg.Pool;
  readonly kysely: Kysely<Rows>;

  constructor(options: PoolOptions) {
    const settings = [
      '-c timezone=UTC',
      options.role === undefined ? '' : `-c role=${options.role}`,
      `-c lock_timeout=${options.lockTimeoutMs ?? 2_000}`,
      `-c statement_timeout=${options.statementTimeoutMs ?? 30_000}`,
      // Tables grow after statements were planned: a plan that reads a whole table must never be kept.
      '-c enable_seqscan=off',
      // Hot statements read arrays whose length says nothing about the best plan: plan once, not at each run.
      '-c plan_cache_mode=force_generic_plan',
      `-c idle_in_transaction_session_timeout=30000`,
      options.synchronousCommit === false ? '-c synchronous_commit=off' : '',
    ];
    this.pg = new pg.Pool({
      connectionString: options.url,
      max: options.size,
      idleTimeoutMillis: 60_000,
      // A burst waits for its turn rather than being turned away.
      connectionTimeoutMillis: 20_000,
      application_name: options.name,
      options: settings.filter((setting) => setting !== '').join(' '),
      types,
      keepAlive: true,
      ...{ pipeline: true },
    });
    // A connection that breaks while idle is replaced at its next use; nothing is lost with it.
    this.pg.on('error', () => {});
    this.kysely = kyselyOver((config) => this.pg.query(config));
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
