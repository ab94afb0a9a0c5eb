// Slow: 6 s

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../test/database.ts';
import { withClient } from '../../test/template.ts';
import { parseCommandLine } from '../config.ts';
import { openInstallation } from '../installation.ts';
import { QueuePool } from '../work/queue-pool.ts';
import { schemaAccess } from './migrate.ts';

const database = await createTestDatabase();
after(() => database.drop());

/** What whoever injects a statement may try, to become somebody who rewrites the ledger. */
const ATTACKS = [
  'RESET ROLE; UPDATE ledger_entries SET balance_after = 0',
  'RESET ROLE; ALTER TABLE ledger_entries DISABLE TRIGGER ALL',
  'RESET ROLE; DELETE FROM ledger_postings',
  'RESET SESSION AUTHORIZATION; DELETE FROM ledger_postings',
];

async function assertKept(pool: pg.Pool, owner: string): Promise<void> {
  for (const attack of [...ATTACKS, `SET ROLE ${owner}`, `SET SESSION AUTHORIZATION ${owner}`])
    await assert.rejects(pool.query(attack), { code: '42501' }, attack);
}

/** A user of the database who owns nothing, and the address that logs in as them. */
async function addLogin(): Promise<{ readonly url: string; readonly user: string }> {
  const user = `login_${randomBytes(4).toString('hex')}`;
  await withClient(database.url, (client) => client.query(`CREATE ROLE ${user} LOGIN PASSWORD 'secret'`));
  after(() => withClient(database.url, (client) => client.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`)));
  return { user, url: database.url.replace(/^(postgres(?:ql)?:\/\/)[^@]*@/, `$1${user}:secret@`) };
}

async function open(settings: Record<string, string>) {
  const directory = await mkdtemp(join(tmpdir(), 'hostkeep-login-'));
  const { config } = parseCommandLine([], {
    HOSTKEEP_DATA: join(directory, 'data'),
    HOSTKEEP_LOG_LEVEL: 'silent',
    ...settings,
  });
  const close = () => rm(directory, { recursive: true, force: true });
  try {
    const installation = await openInstallation(config, 'test');
    return { installation, close: () => installation.close().then(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

test('the application of the embedded database cannot become the owner of its tables', async () => {
  const { installation, close } = await open({});
  try {
    const owner = await installation.readPool.pg.query<{ owner: string }>(
      "SELECT tableowner AS owner FROM pg_tables WHERE tablename = 'ledger_entries'",
    );
    await assertKept(installation.writePool.pg, pg.escapeIdentifier(owner.rows[0]?.owner ?? ''));
    assert.equal(await schemaAccess(installation.directUrl), 'newest');
  } finally {
    await close();
  }
});

test('with DATABASE_OWNER_URL a migration lets the user of DATABASE_URL in, who cannot become the owner', async () => {
  const { url } = await addLogin();
  const { installation, close } = await open({ DATABASE_URL: url, DATABASE_OWNER_URL: database.url });
  try {
    const { rows } = await installation.readPool.pg.query('SELECT current_user AS user');
    assert.deepEqual(rows, [{ user: 'hostkeep_app' }]);
    const [owner = ''] = /(?<=:\/\/)[^:@]+/.exec(database.url) ?? [];
    await assertKept(installation.writePool.pg, pg.escapeIdentifier(owner));
  } finally {
    await close();
  }
  // From now on the address of the owner is needed by nobody but migrations.
  const later = await open({ DATABASE_URL: url });
  await later.close();
});

test('a user who may not change the schema is told when it is older than the program', async () => {
  const { url, user } = await addLogin();
  await withClient(database.url, (client) => client.query(`GRANT hostkeep_app, hostkeep_queue TO ${user}`));
  await withClient(database.url, async (client) => {
    const { rows } = await client.query(
      'DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations) RETURNING name, applied_at',
    );
    try {
      await assert.rejects(open({ DATABASE_URL: url }), /run `hostkeep migrate` with DATABASE_OWNER_URL/);
    } finally {
      await client.query('INSERT INTO schema_migrations VALUES ($1, $2)', [rows[0].name, rows[0].applied_at]);
    }
  });
});

test('the queue takes and ends jobs as a role that has rights on nothing else', async () => {
  const { url, user } = await addLogin();
  await withClient(database.url, (client) => client.query(`GRANT hostkeep_app, hostkeep_queue TO ${user}`));
  const pool = new QueuePool({ url, size: 1 });
  try {
    await pool.query("SELECT graphile_worker.add_job('test.login')");
    const { rows } = await pool.query(
      'DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t WHERE t.id = j.task_id AND t.identifier = $1 RETURNING t.identifier',
      ['test.login'],
    );
    assert.deepEqual(rows, [{ identifier: 'test.login' }]);
    await assert.rejects(pool.query('SELECT FROM accounts'), { code: '42501' });
  } finally {
    await pool.end();
  }
});
