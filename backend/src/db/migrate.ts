import { readdirSync, readFileSync } from 'node:fs';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { clientTo, connectionTo } from './connection.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
const LOCK = 4_820_001;

/** The database role that the application works under; it cannot change what is in the ledger. */
export const APPLICATION_ROLE = 'hostkeep_app';
/** The database role that takes jobs out of the queue, and has rights on nothing but what belongs to workers. */
export const QUEUE_ROLE = 'hostkeep_queue';

/**
 * Brings a database to the newest schema: the job queue's own migrations, then every file of `migrations/`
 * that has not run, in the order of their names, all or nothing. Safe to call from many processes at once.
 * A migration must leave the schema usable by the version of the program before it (add first, remove a
 * release later), because old processes run on while new ones start.
 *
 * `ownerUrl` is the owner of all tables; `logins` are users that are there, and may work under the application's roles.
 */
export async function migrate(ownerUrl: string, logins: readonly string[] = []): Promise<void> {
  const pool = new pg.Pool({ ...connectionTo(ownerUrl), max: 2, application_name: 'hostkeep-migrate' });
  pool.on('error', () => {});
  pool.on('connect', (connected) => connected.on('error', () => {}));
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    for (const role of [APPLICATION_ROLE, QUEUE_ROLE]) await client.query(makeRole(role));
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
    await applyFiles(client);
    // The queue's tables have row-level security without a policy: only their owner gets at them. The application
    // enqueues through the one function, and looks at what waits through the one view (which shows no payload).
    await client.query(
      `GRANT USAGE ON SCHEMA graphile_worker TO ${APPLICATION_ROLE};
       GRANT SELECT ON graphile_worker.jobs TO ${APPLICATION_ROLE};
       ALTER FUNCTION graphile_worker.add_jobs(graphile_worker.job_spec[], boolean)
         SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
       GRANT SELECT ON schema_migrations TO ${APPLICATION_ROLE};
       ${QUEUE_RIGHTS}`,
    );
    for (const login of logins)
      await client.query(`GRANT ${APPLICATION_ROLE}, ${QUEUE_ROLE} TO ${pg.escapeIdentifier(login)}`);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
    await pool.end();
  }
}

/** Made if it is missing, and given to the owner, who may always do what it may. */
function makeRole(role: string): string {
  return `DO $$ BEGIN
     IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
       CREATE ROLE ${role} NOLOGIN;
     END IF;
     IF NOT pg_has_role(current_user, '${role}', 'MEMBER') THEN
       GRANT ${role} TO CURRENT_USER;
     END IF;
   EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database's migration made it now
   END $$`;
}

/** What belongs to workers, and all of the queue, whose tables show nothing to anybody but their owner without a policy. */
const QUEUE_RIGHTS = `
  GRANT SELECT, INSERT, UPDATE, DELETE ON schedules, worker_heartbeats TO ${QUEUE_ROLE};
  GRANT EXECUTE ON FUNCTION give_back_job(bigint, text, text) TO ${QUEUE_ROLE};
  GRANT USAGE ON SCHEMA graphile_worker TO ${QUEUE_ROLE};
  GRANT ALL ON ALL TABLES IN SCHEMA graphile_worker TO ${QUEUE_ROLE};
  GRANT ALL ON ALL SEQUENCES IN SCHEMA graphile_worker TO ${QUEUE_ROLE};
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO ${QUEUE_ROLE};
  DO $$
    DECLARE guarded regclass;
    BEGIN
      FOR guarded IN SELECT c.oid FROM pg_class c
        WHERE c.relnamespace = 'graphile_worker'::regnamespace AND c.relrowsecurity
          AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = '${QUEUE_ROLE}')
      LOOP
        EXECUTE format('CREATE POLICY ${QUEUE_ROLE} ON %s TO ${QUEUE_ROLE} USING (true) WITH CHECK (true)', guarded);
      END LOOP;
    END $$`;

/** What a user of the database is to its schema. */
export type SchemaAccess = 'owner' | 'newest' | 'older';

/** Whether who logs in owns the tables, or may become who does; else whether their schema is that of this program. */
export async function schemaAccess(url: string): Promise<SchemaAccess> {
  const client = clientTo(url, { application_name: 'hostkeep-schema' });
  client.on('error', () => {}); // the statement under way fails too
  await client.connect();
  try {
    const { rows } = await client.query<{ owner: boolean }>(
      `SELECT pg_has_role(session_user, relowner, 'MEMBER') AS owner FROM pg_class
       WHERE oid = to_regclass('schema_migrations')`,
    );
    if (rows[0]?.owner !== false) return 'owner';
    const applied = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
    const names = new Set(applied.rows.map(({ name }) => name));
    return files().every((name) => names.has(name)) ? 'newest' : 'older';
  } finally {
    await client.end();
  }
}

function files(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

async function applyFiles(client: pg.PoolClient): Promise<void> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL)',
  );
  const applied = new Set(
    (await client.query<{ name: string }>('SELECT name FROM schema_migrations')).rows.map((row) => row.name),
  );
  await client.query('BEGIN');
  try {
    for (const name of files().filter((file) => !applied.has(file))) {
      await client.query(readFileSync(new URL(name, FOLDER), 'utf8'));
      await client.query('INSERT INTO schema_migrations VALUES ($1, $2)', [name, new Date().toISOString()]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
