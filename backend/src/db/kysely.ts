import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { QueryResult as PgResult, QueryConfig } from 'pg';
import type { Rows } from './rows.generated.ts';
import { encodeValues } from './statement.ts';

export type Query = (config: QueryConfig) => Promise<PgResult>;

/** Queries built by Kysely, run through `query`, each prepared under a name. Transactions are not its business. */
export function kyselyOver(query: Query): Kysely<Rows> {
  return new Kysely<Rows>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new SingleQueryDriver(query),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

class SingleQueryDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(query: Query) {
    this.#connection = {
      async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
        const name = preparedName(compiled.sql);
        const config: QueryConfig = { text: compiled.sql, values: encodeValues(compiled.parameters) };
        const result = await query(name === null ? config : { ...config, name });
        return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
      },
      async *streamQuery() {
        yield* [];
        throw new Error('rows are not streamed here: read them in pages');
      },
    };
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {}
  beginTransaction(): Promise<void> {
    throw new Error('transactions begin in db/transaction.ts');
  }
  commitTransaction(): Promise<void> {
    throw new Error('transactions end in db/transaction.ts');
  }
  rollbackTransaction(): Promise<void> {
    throw new Error('transactions end in db/transaction.ts');
  }
}

// Lists with many filters make many texts; past this number they are planned each time instead of growing
// every connection's memory.
const PREPARED_LIMIT = 500;
const prepared = new Map<string, string>();

function preparedName(text: string): string | null {
  const known = prepared.get(text);
  if (known !== undefined) return known;
  if (prepared.size >= PREPARED_LIMIT) return null;
  const name = `k${prepared.size}`;
  prepared.set(text, name);
  return name;
}
