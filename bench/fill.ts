import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Sealer } from '../backend/src/base/seal.ts';
import { newLicenseKey } from '../backend/src/business/licenses/key.ts';
import { KEY_PURPOSE } from '../backend/src/business/licenses/license.ts';
import { newPassword, PASSWORD_PURPOSE } from '../backend/src/business/servers/changes/login.ts';
import { type BenchDatabase, query } from './databases.ts';

export const ACCOUNTS = 10_000;
export const TOKENS = 1_000;

export interface Holder {
  readonly account: string;
  /** The token's secret. */
  readonly token: string;
}

/** Who asks for what: the uuid belongs to the holder's account. */
export interface Target extends Holder {
  readonly uuid: string;
}

/** The secret of the n-th token. */
export function tokenSecret(n: number): string {
  return `hk_${createHash('sha256').update(`bench ${n}`).digest('base64url')}`;
}

/**
 * Fills a database: 10,000 accounts, of which 1,000 have a token and share the licenses evenly, each license with
 * its binding, its order and its ledger entry, as if it had been bought over the past year.
 */
export async function fill(database: BenchDatabase, licenses: number, sealer: Sealer): Promise<void> {
  const pack = database.catalog.license_packages[0];
  if (pack === undefined) throw new Error('the catalogue sells no license');
  const sealed = Array.from({ length: 256 }, () => sealer.seal(KEY_PURPOSE, newLicenseKey()));
  const hashes = Array.from({ length: TOKENS }, (_, n) =>
    createHash('sha256').update(tokenSecret(n)).digest(),
  );
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    // Rows are consistent by construction; checking a million references would take most of the time.
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    await client.query(
      `CREATE TEMP TABLE holders (n integer PRIMARY KEY, account_id uuid, user_id uuid, hash bytea)`,
    );
    await client.query(
      'INSERT INTO holders SELECT n - 1, uuidv7(), uuidv7(), ($1::bytea[])[n] FROM generate_series(1, $2::int) n',
      [hashes, ACCOUNTS],
    );
    await client.query(`
      INSERT INTO accounts (id, state, currency, balance, ledger_seq, event_seq, created_at)
        SELECT account_id, 'active', 'EUR', 1000000000000, ${share('n', licenses)}, 3 * ${share('n', licenses)},
          '2025-01-01' FROM holders;
      INSERT INTO users (id, account_id, email, first_name, last_name, locale, timezone, role, state, created_at)
        SELECT user_id, account_id, 'c' || n || '@customer.example', 'A', 'Customer', 'en', 'UTC', 'owner', 'active',
          '2025-01-01' FROM holders;
      INSERT INTO tokens (id, account_id, user_id, kind, name, hash, scopes, created_at)
        SELECT uuidv7(), account_id, user_id, 'api', 'bench', hash, '{*}', '2025-01-01' FROM holders
        WHERE hash IS NOT NULL;
      CREATE TEMP TABLE made AS SELECT i, h.account_id, i / ${TOKENS} + 1 AS seq, uuidv7() AS id, uuidv7() AS order_id,
          uuidv7() AS entry_id, timestamptz '2026-01-01' + (i::float8 / ${licenses}) * interval '200 days' AS at
        FROM generate_series(0, ${licenses} - 1) i JOIN holders h ON h.n = i % ${TOKENS} ORDER BY i;`);
    await client.query(
      `INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
         expire_at, created_at)
       SELECT id, account_id, 'license', $1::text, $2::text, 'active', false, 1, 'year', 1, at + interval '365 days', at FROM made ORDER BY i`,
      [pack.uuid, pack.name],
    );
    await client.query(
      `INSERT INTO licenses (id, key_hash, key_sealed)
       SELECT id, sha256(id::text::bytea), ($1::bytea[])[1 + i % 256] FROM made ORDER BY i`,
      [sealed],
    );
    await client.query(`
      INSERT INTO license_bindings (license_id, ip_address, description, created_at)
        SELECT id, inet '192.0.2.0' + i % 256, 'web', at FROM made ORDER BY i;
      INSERT INTO orders (id, account_id, product, action, service_id, state, price_version, currency, lines, net,
          discount, tax_rate, tax, gross, duration, duration_unit, period_from, period_to, entry_id, created_at, closed_at)
        SELECT order_id, account_id, 'license', 'create', id, 'completed', 1, 'EUR', '[]', 3688, 0, 1900, 701, 4389, 1,
          'year', at, at + interval '365 days', entry_id, at, at FROM made ORDER BY i;
      INSERT INTO ledger_entries (account_id, seq, id, kind, currency, amount, tax, balance_after, description, order_id,
          resource_type, resource_id, created_at, prev_hash, hash)
        SELECT account_id, seq, entry_id, 'order', 'EUR', -4389, 701, 0, 'License, 1 year', order_id, 'license', id, at,
          sha256('before'), sha256('after') FROM made ORDER BY i;
      INSERT INTO ledger_postings (entry_id, position, ledger_account, currency, amount)
        SELECT entry_id, p.position, p.ledger_account, 'EUR', p.amount FROM made,
          LATERAL (VALUES (0, 'customer:' || account_id, -4389), (1, 'revenue:license', 3688), (2, 'tax:19.00', 701))
            p(position, ledger_account, amount) ORDER BY i;`);
    await fillServers(client, database, sealer);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

/** One server for every token, with an IPv4 address and an IPv6 network from the first host's pools. */
async function fillServers(client: pg.Client, { catalog }: BenchDatabase, sealer: Sealer): Promise<void> {
  const [host] = catalog.hosts;
  const [os] = catalog.operating_systems;
  await client.query(
    `CREATE TEMP TABLE machines AS SELECT n, account_id, uuidv7() AS id FROM holders WHERE n < ${TOKENS} ORDER BY n`,
  );
  await client.query(`
    INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
        expire_at, created_at)
      SELECT id, account_id, 'server', 'custom', 'Server', 'active', true, 1, 'month', 1, '2027-01-01', '2026-01-01'
      FROM machines ORDER BY n`);
  await client.query(
    `INSERT INTO servers (id, host, node, hostname, os, username, password_sealed, cores, memory, disk, uplink,
       power_state)
     SELECT id, $1::text, $2::text, 'web' || n || '.customer.example', $3::text, 'root', $4::bytea, 4, 8192, 80, 1000,
       'running' FROM machines ORDER BY n`,
    [host?.name, host?.nodes[0]?.name, os?.name, sealer.seal(PASSWORD_PURPOSE, newPassword())],
  );
  await client.query(
    `UPDATE addresses a SET state = 'assigned', server_id = m.id
     FROM (SELECT address, row_number() OVER (PARTITION BY family ORDER BY address) - 1 AS n FROM addresses
       WHERE host = $1 AND state = 'free') f JOIN machines m ON m.n = f.n
     WHERE a.address = f.address`,
    [host?.name],
  );
}

function share(n: string, licenses: number): string {
  return `CASE WHEN ${n} < ${TOKENS} THEN (${licenses} + ${TOKENS} - 1 - ${n}) / ${TOKENS} ELSE 0 END`;
}

/** Licenses or servers of token holders, chosen uniformly; at most `count`. */
export async function someServices(
  database: BenchDatabase,
  product: 'license' | 'server',
  count: number,
): Promise<Target[]> {
  const secrets = secretsByHash();
  const { rows } = await query<{ account: string; uuid: string; hash: Buffer }>(
    database.url,
    `SELECT s.account_id AS account, s.id AS uuid, t.hash FROM services s JOIN tokens t USING (account_id)
     WHERE s.product = $1 ORDER BY hashtext(s.id::text) LIMIT $2`,
    [product, count],
  );
  return rows.map(({ account, uuid, hash }) => ({
    account,
    uuid,
    token: secrets.get(hash.toString('hex')) ?? '',
  }));
}

/** Everyone who has a token. */
export async function tokenHolders(database: BenchDatabase): Promise<Holder[]> {
  const secrets = secretsByHash();
  const { rows } = await query<{ account: string; hash: Buffer }>(
    database.url,
    'SELECT account_id AS account, hash FROM tokens ORDER BY account_id',
  );
  return rows.map(({ account, hash }) => ({ account, token: secrets.get(hash.toString('hex')) ?? '' }));
}

function secretsByHash(): Map<string, string> {
  const entries = Array.from({ length: TOKENS }, (_, n) => {
    const secret = tokenSecret(n);
    return [createHash('sha256').update(secret).digest('hex'), secret] as const;
  });
  return new Map(entries);
}
