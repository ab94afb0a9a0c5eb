import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { migrate } from '../src/db/migrate.ts';

const LOCK = 4_820_002;

/**
 * The name of a database of the newest schema in the server, to be copied, which is made if it is not there. There is one
 * for each state of the migrations; renamed when whole, so that a failed migration leaves none.
 */
export async function ensureTemplate(client: pg.Client, url: string): Promise<string> {
  const name = `template_${migrationsHash()}`;
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]); // until the connection ends
  const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rows.length > 0) return name;
  const making = `${name}_making`;
  await client.query(`DROP DATABASE IF EXISTS ${making} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${making}`);
  await migrate(databaseIn(url, making));
  await client.query(`ALTER DATABASE ${making} RENAME TO ${name}`);
  return name;
}

let hash: string | undefined;

/** Of all that makes the schema. */
export function migrationsHash(): string {
  hash ??= hashNow();
  return hash;
}

function hashNow(): string {
  const folder = new URL('../src/db/migrations/', import.meta.url);
  const digest = createHash('sha256').update(readFileSync(new URL('../migrate.ts', folder)));
  for (const name of readdirSync(folder).sort())
    digest.update(name).update(readFileSync(new URL(name, folder)));
  return digest.digest('hex').slice(0, 16);
}

/** No URL parser: the address of a socket has no host, which URL does not take. */
export function databaseIn(url: string, database: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`);
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
