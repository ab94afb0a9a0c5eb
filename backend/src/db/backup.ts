import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { clientTo } from './connection.ts';

/** What a backup directory says of itself. */
export interface BackupManifest {
  readonly format: 1;
  readonly created_at: string;
  /** The migrations that the rows fit. */
  readonly migrations: readonly string[];
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly rows: number;
  }[];
}

/** A backup that cannot be taken or put back; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const MANIFEST = 'manifest.json';

/**
 * Writes every table, as of one instant, into an empty directory: one compressed file a table, in PostgreSQL's
 * own text form, and a manifest. Reads while the installation runs, disturbs nothing, and works on any server.
 * Jobs are not in it: what is unfinished is taken up again from the books. The sealing key is not in it either.
 * `alongside` adds what the rows refer to and the database does not hold.
 */
export async function backUp(
  directUrl: string,
  directory: string,
  now: string,
  alongside: () => Promise<void> = async () => {},
): Promise<BackupManifest> {
  await mkdir(directory, { mode: 0o700 });
  const client = clientTo(directUrl, { application_name: 'hostkeep-backup' });
  client.on('error', () => {}); // the statement under way fails too
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const migrations = await appliedMigrations(client);
    const tables: BackupManifest['tables'][number][] = [];
    for (const table of await tablesByDependency(client)) {
      const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
      const rows = client.query(
        copyTo(`COPY (SELECT ${columns} FROM ${client.escapeIdentifier(table.name)}) TO STDOUT`),
      );
      await pipeline(
        rows,
        createGzip({ level: 3 }),
        createWriteStream(fileOf(directory, table.name), { mode: 0o600 }),
      );
      tables.push({ ...table, rows: rows.rowCount });
    }
    await client.query('COMMIT');
    await alongside();
    const manifest: BackupManifest = { format: 1, created_at: now, migrations, tables };
    // Written last: a directory without it is not a backup.
    await writeFile(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    return manifest;
  } finally {
    await client.end();
  }
}

/** Fills a database that has the backup's schema and no rows yet; all or nothing. */
export async function restore(directUrl: string, directory: string): Promise<BackupManifest> {
  const manifest = await readManifest(directory);
  const client = clientTo(directUrl, { application_name: 'hostkeep-restore' });
  client.on('error', () => {}); // the statement under way fails too
  await client.connect();
  try {
    const migrations = await appliedMigrations(client);
    if (JSON.stringify(migrations) !== JSON.stringify(manifest.migrations)) {
      throw new BackupError(
        `the backup was written with the schema ${manifest.migrations.at(-1)}, this is ${migrations.at(-1)}: restore it with the Hostkeep that wrote it, then update`,
      );
    }
    await client.query('BEGIN');
    await client.query('SET CONSTRAINTS ALL DEFERRED');
    const names = manifest.tables.map((table) => client.escapeIdentifier(table.name));
    // What they made of rows is among the rows.
    for (const name of names) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    for (const table of manifest.tables) {
      const name = client.escapeIdentifier(table.name);
      const { rows } = await client.query<{ filled: boolean }>(
        `SELECT EXISTS (SELECT FROM ${name}) AS filled`,
      );
      if (rows[0]?.filled)
        throw new BackupError(
          `the table ${table.name} holds rows already: restore into a new data directory`,
        );
      const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
      const sink = client.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN`));
      await pipeline(createReadStream(fileOf(directory, table.name)), createGunzip(), sink);
      if (sink.rowCount !== table.rows) {
        throw new BackupError(
          `${table.name} holds ${sink.rowCount} rows instead of ${table.rows}: the backup is damaged`,
        );
      }
    }
    await continueSequences(client);
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    for (const name of names) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    await client.query('COMMIT');
    return manifest;
  } finally {
    await client.end();
  }
}

async function readManifest(directory: string): Promise<BackupManifest> {
  const text = await readFile(join(directory, MANIFEST), 'utf8').catch(() => {
    throw new BackupError(`${directory} is not a whole backup: it has no ${MANIFEST}`);
  });
  return JSON.parse(text) as BackupManifest;
}

function fileOf(directory: string, table: string): string {
  return join(directory, `${table}.copy.gz`);
}

async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name');
  return rows.map((row) => row.name);
}

/**
 * What a restored installation makes anew: what is of its own processes, and charts of servers, which are larger than
 * everything else together.
 */
const NOT_KEPT = ['schema_migrations', 'worker_heartbeats', 'server_metrics', 'server_roll_ups'];

/** Our tables with the columns that rows bring along, each after those that it refers to. */
async function tablesByDependency(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers_to: string[] }>(
    `
    SELECT c.relname AS name,
      ARRAY(SELECT a.attname::text FROM pg_attribute a
            WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
            ORDER BY a.attnum) AS columns,
      ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
            WHERE k.conrelid = c.oid AND k.contype = 'f' AND NOT k.condeferrable AND r.oid <> c.oid) AS refers_to
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relpersistence = 'p' AND c.relname <> ALL($1)
    ORDER BY c.relname`,
    [NOT_KEPT],
  );
  const ordered: { name: string; columns: string[] }[] = [];
  const placed = new Set<string>();
  while (ordered.length < rows.length) {
    const ready = rows.filter(
      (row) => !placed.has(row.name) && row.refers_to.every((name) => placed.has(name)),
    );
    if (ready.length === 0) throw new BackupError('the tables refer to one another in a circle');
    for (const { name, columns } of ready) {
      ordered.push({ name, columns });
      placed.add(name);
    }
  }
  return ordered;
}

/** Numbers given from now on continue after those that were restored. */
async function continueSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    SELECT c.relname AS "table", a.attname AS "column", pg_get_serial_sequence(c.relname, a.attname) AS sequence
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> ''
    WHERE c.relnamespace = 'public'::regnamespace`);
  for (const { table, column, sequence } of rows) {
    const id = client.escapeIdentifier;
    await client.query(
      `SELECT setval($1, coalesce(max(${id(column)}), 1), max(${id(column)}) IS NOT NULL) FROM ${id(table)}`,
      [sequence],
    );
  }
}
