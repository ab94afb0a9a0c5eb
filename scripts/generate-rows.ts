import pg from 'pg';
import { createTestDatabase } from '../backend/test/database.ts';
import type { GeneratedFile } from './generated-file.ts';

interface Column {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
  generated: boolean;
}

const TYPES: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  cidr: 'string',
  date: 'string',
  float4: 'number',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'bigint',
  jsonb: 'Json',
  text: 'string',
  timestamptz: 'Temporal.Instant',
  tsvector: 'string',
  uuid: 'string',
};

function typeOf(column: Column): string {
  const array = column.type.startsWith('_');
  const base = TYPES[array ? column.type.slice(1) : column.type];
  if (base === undefined)
    throw new Error(`no TypeScript type for ${column.table}.${column.column}: ${column.type}`);
  const type = `${base}${array ? '[]' : ''}${column.nullable ? ' | null' : ''}`;
  // JSON is written as text, so that arrays and strings arrive as JSON and not as SQL arrays.
  if (base === 'Json')
    return `ColumnType<Json${column.nullable ? ' | null' : ''}, string${column.nullable ? ' | null' : ''}>`;
  return column.generated ? `Generated<${type}>` : type;
}

/** The types of every table's rows, read off a freshly migrated database. */
export async function rows(): Promise<GeneratedFile[]> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows: columns } = await client.query<Column>(`
  SELECT c.relname AS "table", a.attname AS "column", t.typname AS "type",
         NOT a.attnotnull AS "nullable", (a.atthasdef OR a.attidentity <> '') AS "generated"
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type t ON t.oid = a.atttypid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> 'schema_migrations'
  ORDER BY c.relname, a.attnum`);
  await client.end();
  await database.drop();

  const tables = Map.groupBy(columns, (column) => column.table);
  const text = [
    '// Made by `npm run generate` from the migrations. Do not edit.',
    "import type { ColumnType, Generated } from 'kysely';",
    "import type { Json } from '../base/canonical.ts';",
    '',
    ...[...tables].map(
      ([table, members]) =>
        `export interface ${camel(table)}Row {\n${members.map((c) => `  ${c.column}: ${typeOf(c)};`).join('\n')}\n}\n`,
    ),
    `export interface Rows {\n${[...tables.keys()].map((table) => `  ${table}: ${camel(table)}Row;`).join('\n')}\n}\n`,
  ].join('\n');

  return [{ name: 'backend/src/db/rows.generated.ts', text }];
}

function camel(name: string): string {
  return name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
