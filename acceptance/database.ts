// Needs: database

import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

export interface Database {
  url: string;
  drop(): Promise<void>;
}

/** A new database in the server that `HOSTKEEP_TEST_POSTGRES` names; null when it names none. */
export async function newDatabase(): Promise<Database | null> {
  const postgres = process.env.HOSTKEEP_TEST_POSTGRES;
  if (!postgres) return null;
  const name = `acceptance_${randomUUID().replaceAll('-', '')}`;
  await administer(postgres, `CREATE DATABASE ${name}`);
  // No URL parser: the address of a socket has no host, which URL does not take.
  const url = postgres.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`);
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
