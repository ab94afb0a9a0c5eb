import pg from 'pg';
import type { BenchDatabase } from './databases.ts';

/** Whose servers they are. */
export interface Owner {
  readonly accountId: string;
  readonly userId: string;
}

export interface ServerFill {
  readonly servers: number;
  /** Of one customer. */
  readonly each: number;
  /** When they were sampled last. */
  readonly now: Temporal.Instant;
}

/**
 * Fills a database with running servers on the catalogue's hosts, each with a machine of the sandbox, an IPv4 address and
 * an IPv6 network, its newest sample and the traffic of its billing period. Gives back the owners.
 */
export async function fillServers(
  { url, catalog }: BenchDatabase,
  { servers, each, now }: ServerFill,
): Promise<Owner[]> {
  const [os] = catalog.operating_systems;
  const hosts = catalog.hosts.map((host) => host.name);
  const nodes = catalog.hosts.map((host) => host.nodes[0]?.name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Rows are consistent by construction.
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    await client.query(
      `CREATE TEMP TABLE holders AS SELECT n, uuidv7() AS account_id, uuidv7() AS user_id FROM generate_series(0, $1::int - 1) n`,
      [Math.ceil(servers / each)],
    );
    await client.query(`
      INSERT INTO accounts (id, state, currency, created_at) SELECT account_id, 'active', 'EUR', '2026-01-01' FROM holders;
      INSERT INTO users (id, account_id, email, first_name, last_name, locale, timezone, role, state, created_at)
        SELECT user_id, account_id, 's' || n || '@customer.example', 'A', 'Customer', 'en', 'UTC', 'owner', 'active',
          '2026-01-01' FROM holders;`);
    // As they were bought: one today, one tomorrow, of any customer.
    await client.query(
      `CREATE TEMP TABLE made AS SELECT i, h.account_id, uuidv7() AS id, 1 + i % cardinality($3::text[]) AS host,
           $2::timestamptz - interval '200 days' + (i::float8 / $1) * interval '190 days' AS at
         FROM generate_series(0, $1::int - 1) i JOIN holders h ON h.n = i % (SELECT count(*) FROM holders) ORDER BY i`,
      [servers, now.toString(), hosts],
    );
    await client.query(
      `INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
         expire_at, created_at)
       SELECT id, account_id, 'server', 'custom', 'Server', 'active', true, 1, 'month', 1, $1::timestamptz + interval '20 days',
         at FROM made ORDER BY i`,
      [now.toString()],
    );
    await client.query(
      `INSERT INTO servers (id, host, node, hostname, os, username, cores, memory, disk, uplink, power_state)
       SELECT id, ($1::text[])[host], ($2::text[])[host], 'web' || i || '.customer.example', $3::text, 'root', 4, 8192, 80,
         1000, 'running' FROM made ORDER BY i`,
      [hosts, nodes, os?.name],
    );
    await client.query(
      `INSERT INTO sandbox.machines (server_id, host, node, generation, hostname, image, username, ssh_keys, cores, memory,
         disk, uplink, ipv4, ipv6, power, booted_at, created_at)
       SELECT id, ($1::text[])[host], ($2::text[])[host], 1, 'web.customer.example', $3::text, 'root', '{}', 4, 8192, 80,
         1000, '{}', '{}', 'running', at, at FROM made ORDER BY i`,
      [hosts, nodes, os?.name],
    );
    await client.query(
      `INSERT INTO addresses (address, family, host, gateway, state, server_id)
       SELECT inet '10.0.0.0' + i, 4, ($1::text[])[host], '10.0.0.1', 'assigned', id FROM made`,
      [hosts],
    );
    await client.query(
      `INSERT INTO addresses (address, family, host, gateway, state, server_id)
       SELECT format('fd00:0:%s:%s::/64', to_hex(i / 65536), to_hex(i % 65536))::inet, 6, ($1::text[])[host], 'fe80::1',
         'assigned', id FROM made`,
      [hosts],
    );
    await client.query(
      `INSERT INTO server_meters (server_id, seen_at, uptime, cpu, mem, disk, diskread, diskwrite, netin, netout)
       SELECT id, $1, 100000, 0.2, 4294967296, 21474836480, 1, 1, 1, 1 FROM made ORDER BY i`,
      [now.toString()],
    );
    await client.query(
      `INSERT INTO server_traffic (server_id, period_from, period_to, bytes_in, bytes_out)
       SELECT id, $1::timestamptz - interval '10 days', $1::timestamptz + interval '20 days', 1, 1 FROM made ORDER BY i`,
      [now.toString()],
    );
    await client.query('VACUUM ANALYZE');
    const { rows } = await client.query<Owner>(
      'SELECT account_id AS "accountId", user_id AS "userId" FROM holders ORDER BY n',
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** Fills one chart of every server: a row for each of its steps, with every figure known. */
export async function fillSeries(
  { url }: BenchDatabase,
  { step, start, end }: { step: number; start: number; end: number },
): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET synchronous_commit = off');
    const metrics = ['cpu', 'mem', 'disk', 'diskread', 'diskwrite', 'netin', 'netout'];
    const columns = (suffix: string) => metrics.map((metric) => `${metric}_${suffix}`).join(', ');
    const { rowCount } = await client.query(
      `INSERT INTO server_metrics (step, server_id, at, ${columns('n')}, ${columns('avg')}, ${columns('max')})
       SELECT $1, id, to_timestamp(t), ${metrics.map(() => '1').join(', ')}, ${metrics.map(() => 'random()').join(', ')},
         ${metrics.map(() => '1').join(', ')}
       FROM generate_series($2::bigint, $3::bigint - $1::int, $1::int) t, servers`,
      [step, start, end],
    );
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}
