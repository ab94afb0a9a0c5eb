import { type SqlValue, type Statement, statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/**
 * One kind of write that takes any number of rows: its SQL reads them from `unnest(one array per column)`,
 * so the text does not depend on their number. Columns must not be arrays (unnest would flatten them);
 * JSON columns take JSON text.
 */
export interface Bulk<Row extends object> {
  readonly name: string;
  readonly columns: { readonly [Column in keyof Row & string]: string };
  readonly sql: (rows: string) => string;
  /** Rows with the same key replace each other; null keeps them all. */
  readonly key: ((row: Row) => string) | null;
}

export function bulkInsert<Row extends object>(
  table: string,
  columns: { readonly [Column in keyof Row & string]: string },
): Bulk<Row> {
  const names = Object.keys(columns).join(', ');
  return {
    name: `+${table}`,
    columns,
    sql: (rows) => `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${rows} n`,
    key: null,
  };
}

/**
 * An update of rows found by their `id`: `set` is the text after SET and may read the new values as `n.column`.
 * The last row for an id wins, since SQL would apply any one of them.
 */
export function bulkUpdate<Row extends { readonly id: string }>(
  table: string,
  name: string,
  columns: { readonly [Column in keyof Row & string]: string },
  set: string,
): Bulk<Row> {
  return {
    name: `~${table}.${name}`,
    columns,
    sql: (rows) => `UPDATE ${table} SET ${set} FROM ${rows} n WHERE ${table}.id = n.id`,
    key: (row) => row.id,
  };
}

/**
 * What a transaction is going to write, collected while it decides. All of it is sent as one statement
 * (common table expressions see one snapshot and are checked together at its end), because round trips and
 * statements, not rows, are what a write costs.
 */
export class Changes {
  readonly #rows = new Map<Bulk<never>, unknown[] | Map<string, unknown>>();

  add<Row extends object>(bulk: Bulk<Row>, row: Row): void {
    const known = this.#rows.get(bulk as unknown as Bulk<never>);
    if (bulk.key === null) {
      if (known === undefined) this.#rows.set(bulk as unknown as Bulk<never>, [row]);
      else (known as unknown[]).push(row);
      return;
    }
    const map = (known as Map<string, unknown> | undefined) ?? new Map<string, unknown>();
    map.set(bulk.key(row), row);
    this.#rows.set(bulk as unknown as Bulk<never>, map);
  }

  get empty(): boolean {
    return this.#rows.size === 0;
  }

  /** Sends everything collected; the transaction fails as a whole when any of it does. */
  async send(tx: Transaction): Promise<void> {
    if (this.empty) return;
    const bulks = [...this.#rows.keys()];
    const { statement, shared } = combined(bulks);
    for (const [one, other] of shared) this.#assertApart(one, other);
    const values: SqlValue[] = [];
    for (const bulk of bulks) {
      const rows = [...(this.#rows.get(bulk)?.values() ?? [])] as Record<string, SqlValue>[];
      for (const [column, type] of Object.entries<string>(bulk.columns)) {
        values.push(arrayLiteral(type, rows, column));
      }
    }
    this.#rows.clear();
    await tx.run(statement, values);
  }

  /** Of two writes to one row, one would be lost: all parts of the statement see what was there before it. */
  #assertApart(one: Bulk<never>, other: Bulk<never>): void {
    const ids = new Set(this.#ids(one));
    const twice = this.#ids(other).find((id) => ids.has(id));
    if (twice !== undefined) throw new Error(`${one.name} and ${other.name} write the same row ${twice}`);
  }

  #ids(bulk: Bulk<never>): unknown[] {
    const rows = [...(this.#rows.get(bulk)?.values() ?? [])] as { readonly id?: unknown }[];
    return rows.flatMap(({ id }) => id ?? []);
  }
}

interface Combination {
  readonly statement: Statement<object>;
  /** The pairs that write to the same table. */
  readonly shared: readonly (readonly [Bulk<never>, Bulk<never>])[];
}
const combinations = new Map<string, Combination>();

/** The table of `+table` and `~table.what`. */
function tableOf({ name }: Bulk<never>): string {
  return name.slice(1).split('.')[0] ?? '';
}

function combined(bulks: readonly Bulk<never>[]): Combination {
  const name = bulks.map((bulk) => bulk.name).join();
  const known = combinations.get(name);
  if (known !== undefined) return known;
  let parameter = 0;
  const parts = bulks.map((bulk, index) => {
    const columns = Object.entries<string>(bulk.columns);
    const arrays = columns.map(([, type]) => {
      parameter += 1;
      return `$${parameter}::${type}[]`;
    });
    const rows = `(SELECT * FROM unnest(${arrays.join(', ')}) AS u(${columns.map(([column]) => column).join(', ')}))`;
    return `w${index} AS (${bulk.sql(rows)})`;
  });
  const shared = bulks.flatMap((one, index) =>
    bulks
      .slice(index + 1)
      .filter((other) => tableOf(one) === tableOf(other))
      .map((other) => [one, other] as const),
  );
  const text = `WITH ${parts.join(', ')} SELECT`;
  const made = { statement: statement<object>(`write_${combinations.size}`, text), shared };
  combinations.set(name, made);
  return made;
}

const PLAIN_TYPES: ReadonlySet<string> = new Set([
  'bigint',
  'boolean',
  'date',
  'integer',
  'smallint',
  'timestamptz',
  'uuid',
]);

/**
 * A column of rows as the text of a PostgreSQL array. The type tells what may need quoting: nothing that numbers,
 * moments and uuids print does.
 */
function arrayLiteral(type: string, rows: readonly Record<string, SqlValue>[], column: string): string {
  const plain = PLAIN_TYPES.has(type);
  let text = '{';
  for (const [index, row] of rows.entries()) {
    if (index > 0) text += ',';
    const value = row[column];
    if (value === null || value === undefined) text += 'NULL';
    else if (plain) text += String(value);
    else if (Buffer.isBuffer(value)) text += `"\\\\x${value.toString('hex')}"`;
    else text += `"${String(value).replace(/["\\]/g, '\\$&')}"`;
  }
  return `${text}}`;
}
