import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { Api } from './api.ts';
import { type Installation, NO_RATE_LIMIT, temporaryDirectory } from './installation.ts';
import { Operator } from './operator.ts';
import { type Settings, serve, worker } from './program.ts';

/** Two API processes and two workers on one database. */
export interface Cluster extends Installation {
  operator: Operator;
}

/**
 * On a database of its own in the server that `HOSTKEEP_TEST_POSTGRES` names (a superuser's connection), or on
 * the embedded server of a new data directory, which the four processes then share.
 */
export async function cluster(): Promise<Cluster> {
  const directory = await temporaryDirectory();
  const database = await newDatabase();
  const settings: Settings = {
    ...NO_RATE_LIMIT,
    HOSTKEEP_DATA: join(directory, 'data'),
    HOSTKEEP_KEY_FILE: join(directory, 'key'),
    ...(database ? { DATABASE_URL: database.url } : {}),
  };
  // The first start fills the database, so the others wait for it.
  const first = await serve(['--no-worker'], settings);
  const others = await Promise.all([
    serve(['--no-worker'], settings),
    worker([], settings),
    worker([], settings),
  ]);
  const processes = [first, ...others];
  const bases = processes.map(({ address }) => address).filter((address) => address !== '');
  const operator = new Operator([], settings);
  const [token] = await Promise.all([operator.token('demo'), operator.adjustBalance('demo', '500.00')]);
  return {
    api: new Api(bases, token),
    operator,
    async stop() {
      await Promise.all(processes.map((running) => running.stop()));
      await database?.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function newDatabase(): Promise<{ url: string; drop(): Promise<void> } | null> {
  const postgres = process.env.HOSTKEEP_TEST_POSTGRES;
  if (!postgres) return null;
  const name = `acceptance_${randomUUID().replaceAll('-', '')}`;
  await administer(postgres, `CREATE DATABASE ${name}`);
  // No URL parser: a socket's address has no host, which URL does not take.
  const url = postgres.replace(/^(postgres(?:ql)?:\/\/[^/]*)(?:\/[^?]*)?/, `$1/${name}`);
  return { url, drop: () => administer(postgres, `DROP DATABASE ${name}`) };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
