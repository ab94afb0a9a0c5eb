import { readdirSync, readFileSync } from 'node:fs';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { connectionTo } from './connection.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
const LOCK = 4_820_001;

/** The database role that the application works under; it cannot change what is in the ledger. */
export const APPLICATION_ROLE = 'hostkeep_app';

/**
 * Brings a database to the newest schema: the job queue's own migrations, then every file of `migrations/`
 * that has not run, in the order of their names, all or nothing. Safe to call from many processes at once.
 * A migration must leave the schema usable by the version of the program before it (add first, remove a
 * release later), because old processes run on while new ones start.
 */
export async function migrate(directUrl: string): Promise<void> {
  const pool = new pg.Pool({ ...connectionTo(directUrl), max: 2, application_name: 'hostkeep-migrate' });
  pool.on('error', () => {});
  pool.on('connect', (connected) => connected.on('error', () => {}));
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(
      `DO $$ BEGIN
         IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${APPLICATION_ROLE}') THEN
           CREATE ROLE ${APPLICATION_ROLE} NOLOGIN;
         END IF;
         IF NOT pg_has_role(current_user, '${APPLICATION_ROLE}', 'MEMBER') THEN
           GRANT ${APPLICATION_ROLE} TO CURRENT_USER;
         END IF;
       EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database's migration made it now
       END $$`,
    );
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
    await applyFiles(client);
    // The queue's tables have row-level security without a policy: only their owner gets at them. The application
    // enqueues through the one function, and looks at what waits through the one view (which shows no payload).
    await client.query(
      `GRANT USAGE ON SCHEMA graphile_worker TO ${APPLICATION_ROLE};
       GRANT SELECT ON graphile_worker.jobs TO ${APPLICATION_ROLE};
       ALTER FUNCTION graphile_worker.add_jobs(graphile_worker.job_spec[], boolean)
         SECURITY DEFINER SET search_path = pg_catalog, pg_temp`,
    );
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
    await pool.end();
  }
}

async function applyFiles(client: pg.PoolClient): Promise<void> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL)',
  );
  const applied = new Set(
    (await client.query<{ name: string }>('SELECT name FROM schema_migrations')).rows.map((row) => row.name),
  );
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  await client.query('BEGIN');
  try {
    for (const name of files.filter((file) => !applied.has(file))) {
      await client.query(readFileSync(new URL(name, FOLDER), 'utf8'));
      await client.query('INSERT INTO schema_migrations VALUES ($1, $2)', [name, new Date().toISOString()]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
