import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { importCatalog } from '../backend/src/business/core/catalog/import.ts';
import { parseCatalog } from '../backend/src/business/core/catalog/parse.ts';
import type { Catalog } from '../backend/src/business/core/catalog/schema/schema.ts';
import { syncInventories } from '../backend/src/business/products.ts';
import { startEmbeddedPostgres } from '../backend/src/db/embedded.ts';
import { migrate } from '../backend/src/db/migrate.ts';
import { Pool } from '../backend/src/db/pool.ts';
import { transaction } from '../backend/src/db/transaction.ts';

/** A PostgreSQL of the bench's own, in a new directory, durable and with the settings that production gets. */
export interface BenchPostgres {
  readonly directory: string;
  readonly pid: number;
  readonly version: string;
  /** A migrated database with the demo's catalogue, without customers. */
  create(name: string): Promise<BenchDatabase>;
  stop(): Promise<void>;
}

export interface BenchDatabase {
  readonly name: string;
  readonly url: string;
  readonly catalog: Catalog;
}

const CATALOG = new URL('../backend/src/business/core/catalog/demo.yaml', import.meta.url);

export async function startPostgres(): Promise<BenchPostgres> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'hostkeep-bench-')));
  await chmod(directory, 0o711); // PostgreSQL started by root runs as another user
  const server = await startEmbeddedPostgres({ dataDir: join(directory, 'data') });
  const { rows } = await query<{ server_version: string }>(server.url, 'SHOW server_version');
  return {
    directory,
    pid: server.pid,
    version: rows[0]?.server_version ?? '',
    async create(name) {
      await query(server.url, `CREATE DATABASE ${name}`);
      const url = server.url.replace(/\/hostkeep(?=$|\?)/, `/${name}`);
      await migrate(url);
      const reading = parseCatalog(readFileSync(CATALOG, 'utf8'));
      if (!reading.ok) throw new Error('the demo catalogue is not valid');
      const { catalog } = reading;
      const pool = new Pool({ url, size: 1, name: 'hostkeep-bench-import' });
      await transaction(pool, (tx) =>
        importCatalog(tx, catalog, 'bench', Temporal.Now.instant(), syncInventories),
      );
      await pool.end();
      return { name, url, catalog };
    },
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** One statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: url, application_name: 'hostkeep-bench' });
  await client.connect();
  try {
    return await client.query<Row>(text, [...values]);
  } finally {
    await client.end();
  }
}
