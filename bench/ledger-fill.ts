import pg from 'pg';
import { markNext } from '../backend/src/business/core/ledger/marks.ts';
import { Pool } from '../backend/src/db/pool.ts';
import { type BenchDatabase, query } from './databases.ts';
import { type Holder, tokenSecret } from './fill.ts';

export const LINES = 10_000_000;
export const ONE_CUSTOMERS_LINES = 1_000_000;
const OTHERS = 9_000;

/**
 * Fills a database with a ledger: every tenth line is one customer's, the rest belong to 9,000 others, in the order of
 * time, as they would come. Two in a hundred lines are top-ups, one a refund, the others orders and renewals. Hashes are
 * any: nothing here verifies them.
 */
export async function fillLedger(database: BenchDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`SET session_replication_role = replica; SET synchronous_commit = off;
      SET maintenance_work_mem = '1GB'; SET max_parallel_maintenance_workers = 2`);
    // Made afterwards they take half the time, and are what they would be after a day's VACUUM.
    const indexes = await withoutIndexes(client, ['ledger_entries', 'ledger_postings']);
    await client.query(
      'CREATE TEMP TABLE holders AS SELECT n, uuidv7() AS account_id, uuidv7() AS user_id FROM generate_series(0, $1::int) n',
      [OTHERS],
    );
    await client.query(`
      INSERT INTO accounts (id, state, currency, balance, ledger_seq, ledger_at, created_at)
        SELECT account_id, 'active', 'EUR', 0, CASE n WHEN 0 THEN ${ONE_CUSTOMERS_LINES} ELSE 1000 END, '2026-12-31',
          '2020-01-01' FROM holders;
      INSERT INTO users (id, account_id, email, first_name, last_name, locale, timezone, role, state, created_at)
        SELECT user_id, account_id, 'l' || n || '@customer.example', 'A', 'Customer', 'en', 'UTC', 'owner', 'active',
          '2020-01-01' FROM holders`);
    await client.query(
      `INSERT INTO tokens (id, account_id, user_id, kind, name, hash, scopes, created_at)
       SELECT uuidv7(), account_id, user_id, 'api', 'bench', sha256($1::text::bytea), '{*}', '2020-01-01'
       FROM holders WHERE n = 0`,
      [tokenSecret(0)],
    );
    // The customer's own lines are those of i % 10 = 0; the others take the rest in turns.
    await client.query(`
      INSERT INTO ledger_entries (account_id, seq, id, kind, currency, amount, tax, balance_after, description, order_id,
          resource_type, resource_id, created_at, prev_hash, hash)
        SELECT h.account_id, l.seq, uuidv7(), l.kind,
          'EUR', CASE l.kind WHEN 'topup' THEN 20000 WHEN 'refund' THEN 399 ELSE -399 END, 64, 0,
          CASE l.kind WHEN 'topup' THEN 'Bank transfer' ELSE 'License Panel …' || l.seq % 1000 || ', 1 month' END,
          CASE l.kind WHEN 'topup' THEN NULL ELSE gen_random_uuid() END,
          CASE l.kind WHEN 'topup' THEN NULL ELSE 'license' END,
          CASE l.kind WHEN 'topup' THEN NULL ELSE md5(h.n || '/' || l.seq % 1000)::uuid END,
          timestamptz '2020-01-01' + l.i * interval '7 years' / ${LINES}, sha256('before'), sha256('after')
        FROM (
          SELECT i, holder, seq, CASE WHEN seq % 50 = 0 THEN 'topup' WHEN seq % 100 = 51 THEN 'refund'
            WHEN seq % 2 = 0 THEN 'renewal' ELSE 'order' END AS kind
          FROM (
            SELECT i, CASE WHEN i % 10 = 0 THEN 0 ELSE 1 + (i - i / 10 - 1) % ${OTHERS} END AS holder,
              CASE WHEN i % 10 = 0 THEN i / 10 + 1 ELSE (i - i / 10 - 1) / ${OTHERS} + 1 END AS seq
            FROM generate_series(0, ${LINES} - 1) i) numbered) l
        JOIN holders h ON h.n = l.holder`);
    await client.query(`
      INSERT INTO ledger_postings (entry_id, position, ledger_account, currency, amount)
        SELECT e.id, p.position, p.ledger_account, 'EUR', p.amount
        FROM ledger_entries e, LATERAL (
          VALUES (0, 'customer:' || e.account_id, e.amount), (1, 'cash:bank', -e.amount)) p(position, ledger_account, amount)
        WHERE e.kind = 'topup'`);
    for (const index of indexes) await client.query(index);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
  // What the job has made of it by then.
  const pool = new Pool({ url: database.url, size: 1, name: 'bench-marks' });
  try {
    while (await markNext(pool, 500));
    await pool.pg.query('VACUUM ANALYZE ledger_marks');
  } finally {
    await pool.end();
  }
}

/** Takes the indexes and keys of tables away; answers what makes them again. */
async function withoutIndexes(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
     FROM pg_constraint WHERE conrelid = ANY($1::regclass[]) AND contype IN ('p', 'u')
     UNION ALL
     SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
     FROM pg_index i WHERE indrelid = ANY($1::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)`,
    [tables],
  );
  for (const row of rows) await client.query(row.drop);
  return rows.map((row) => row.make);
}

/** The customer of a million lines, and one of their services. */
export async function ledgerHolder(database: BenchDatabase): Promise<Holder & { readonly resource: string }> {
  const { rows } = await query<{ account: string; resource: string }>(
    database.url,
    `SELECT account_id AS account, resource_id AS resource FROM ledger_entries
     WHERE account_id = (SELECT account_id FROM tokens LIMIT 1) AND resource_id IS NOT NULL ORDER BY seq LIMIT 1`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error('the ledger is not filled');
  return { ...found, token: tokenSecret(0) };
}
