import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '../src/db/migrate.ts';
import { type TestServer, testServer } from './server.ts';

/** A database of the newest schema and without rows, for one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Removes it. Fails when connections to it were left open, and names them. */
  drop(): Promise<void>;
}

const FILE = basename(process.argv[1] ?? 'test', '.test.ts');
const LOCK = 4_820_002;
/** For connections to close. */
const PATIENCE_MS = 60_000;

/**
 * Makes a database as a copy of the migrated template. It is in the server named by HOSTKEEP_TEST_POSTGRES, or, when
 * a test file is run by itself, in one that is started for it and stopped with the last `drop`.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  process.env.PGAPPNAME ??= FILE; // for connections that give themselves no name
  const server = await testServer();
  try {
    const template = await withClient(server.url, (client) => ensureTemplate(client, server));
    const name = `t_${FILE.replaceAll(/\W/g, '_').slice(0, 40)}_${randomBytes(4).toString('hex')}`;
    // By file rather than through the log: 30 ms instead of 75 ms for this template, in a server without fsync.
    await withClient(server.url, (client) =>
      client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`),
    );
    let dropped: Promise<void> | undefined;
    return {
      url: urlOf(server, name),
      drop: () => {
        dropped ??= drop(server, name).finally(() => server.release());
        return dropped;
      },
    };
  } catch (error) {
    await server.release();
    throw error;
  }
}

/** One template for each state of the migrations; renamed when whole, so that a failed migration leaves none. */
async function ensureTemplate(client: pg.Client, server: TestServer): Promise<string> {
  const name = `template_${migrationsHash()}`;
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]); // until the connection ends
  const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rows.length > 0) return name;
  const making = `${name}_making`;
  await client.query(`DROP DATABASE IF EXISTS ${making} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${making}`);
  await migrate(urlOf(server, making));
  await client.query(`ALTER DATABASE ${making} RENAME TO ${name}`);
  return name;
}

function migrationsHash(): string {
  const folder = new URL('../src/db/migrations/', import.meta.url);
  const hash = createHash('sha256').update(readFileSync(new URL('../migrate.ts', folder)));
  for (const name of readdirSync(folder).sort())
    hash.update(name).update(readFileSync(new URL(name, folder)));
  return hash.digest('hex').slice(0, 16);
}

async function drop(server: TestServer, name: string): Promise<void> {
  const left = await withClient(server.url, async (client) => {
    const open = await connectionsLeft(client, name);
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    return open;
  });
  if (left.length > 0) throw new Error(`database connections left open:\n${left.join('\n')}`);
}

/** The server hears of a closed connection a moment later, and a busy one later still. */
async function connectionsLeft(client: pg.Client, name: string): Promise<string[]> {
  for (const end = performance.now() + PATIENCE_MS; ; ) {
    const { rows } = await client.query<{ line: string }>(
      `SELECT concat_ws(' ', application_name, state, left(query, 80)) AS line
         FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`,
      [name],
    );
    if (rows.length === 0 || performance.now() > end) return rows.map((row) => row.line);
    await setTimeout(10);
  }
}

/** No URL parser: the address of a socket has no host, which URL does not take. */
function urlOf(server: TestServer, database: string): string {
  return server.url.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
