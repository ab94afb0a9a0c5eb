import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openServers } from '../../../../test/servers.ts';
import { ipv4Addresses, ipv6Networks } from './inventory.ts';

const site = await openServers();
const { pool } = site;

async function addresses(where = 'true'): Promise<Record<string, bigint>> {
  const { rows } = await pool.pg.query<{ kind: string; count: bigint }>(
    `SELECT host || ' ' || family || ' ' || state AS kind, count(*) AS count FROM addresses WHERE ${where}
     GROUP BY kind ORDER BY kind`,
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

async function nodes() {
  const { rows } = await pool.pg.query(
    'SELECT name, cores_total, active FROM nodes WHERE active OR cores_used > 0 ORDER BY name',
  );
  return rows;
}

test('a pool gives all its addresses but the network’s own, the broadcast’s and the gateway’s', () => {
  assert.deepEqual(ipv4Addresses({ cidr: '192.0.2.8/29', gateway: '192.0.2.10' }), [
    '192.0.2.9',
    '192.0.2.11',
    '192.0.2.12',
    '192.0.2.13',
    '192.0.2.14',
  ]);
  assert.deepEqual(ipv4Addresses({ cidr: '192.0.2.0/30', gateway: '192.0.2.1' }), ['192.0.2.2']);
  assert.equal(ipv4Addresses({ cidr: '10.0.0.0/8', gateway: '10.0.0.1' }).length, 4096);
});

test('an IPv6 pool gives networks of its length but the one that the gateway is in', () => {
  const pool = { cidr: '2001:db8::/62', prefix_length: 64 };
  assert.deepEqual(ipv6Networks({ ...pool, gateway: 'fe80::1' }), [
    '2001:db8:0:0:0:0:0:0/64',
    '2001:db8:0:1:0:0:0:0/64',
    '2001:db8:0:2:0:0:0:0/64',
    '2001:db8:0:3:0:0:0:0/64',
  ]);
  assert.equal(ipv6Networks({ ...pool, gateway: '2001:db8:0:2::1' }).length, 3);
  assert.deepEqual(ipv6Networks({ cidr: '2001:db8::/47', prefix_length: 48, gateway: 'fe80::1' }), [
    '2001:db8:0:0:0:0:0:0/48',
    '2001:db8:1:0:0:0:0:0/48',
  ]);
  assert.equal(ipv6Networks({ cidr: '2001:db8::/32', prefix_length: 64, gateway: 'fe80::1' }).length, 4096);
});

test('an import adds the nodes and addresses of new hosts; the same again changes nothing', async () => {
  assert.deepEqual(await addresses("host = 'hel-ryzen'"), {
    'hel-ryzen 4 free': 253n,
    'hel-ryzen 6 free': 256n,
  });
  const before = await addresses();
  await site.importServers(({ terms }) => {
    terms.version = '2026-12';
  });
  assert.deepEqual(await addresses(), before);
});

test('a node that grows, shrinks, comes or goes is followed; one that has servers keeps them', async () => {
  const who = await site.customer(10_000n);
  const { server_uuid, hostsystem } = await site.order(who);
  await site.importServers(({ hosts }) => {
    for (const host of hosts) {
      host.nodes = [{ name: `${host.name}-09`, capacity: { cores: 8, memory: 65_536, disk: 1_000 } }];
      host.configuration.cores.max = 8;
    }
  });
  assert.deepEqual(await nodes(), [
    { name: 'fra-epyc-01', cores_total: 64, active: false },
    { name: 'fra-epyc-09', cores_total: 8, active: true },
    { name: 'hel-ryzen-09', cores_total: 8, active: true },
  ]);
  assert.equal((await site.order(who)).hostsystem.node, 'fra-epyc-09');
  await site.importServers(() => {});
  const { rows } = await pool.pg.query('SELECT node FROM servers WHERE id = $1', [server_uuid]);
  assert.deepEqual(rows, [{ node: hostsystem.node }]);
  assert.equal((await site.order(who)).hostsystem.node, 'fra-epyc-01');
});

test('another pool takes the place of the free addresses; those in use stay with their servers', async () => {
  await site.importServers(({ hosts }) => {
    const [fra] = hosts;
    Object.assign(fra?.networks.ipv4 ?? {}, { cidr: '192.0.2.0/24', gateway: '192.0.2.254' });
  });
  assert.deepEqual(await addresses("host = 'fra-epyc' AND family = 4"), {
    'fra-epyc 4 assigned': 3n,
    'fra-epyc 4 free': 253n,
  });
  const who = await site.customer(10_000n);
  assert.equal((await site.order(who)).config.ipv4.ip_address, '192.0.2.1');
  const { rows } = await pool.pg.query(
    "SELECT DISTINCT gateway FROM addresses WHERE host = 'fra-epyc' AND family = 4 ORDER BY gateway",
  );
  assert.deepEqual(rows, [{ gateway: '192.0.2.254' }, { gateway: '198.18.0.1' }]);
});

test('an address that the operator reserved stays reserved', async () => {
  await pool.pg.query("UPDATE addresses SET state = 'reserved' WHERE address = '198.18.4.2'");
  await site.importServers(({ terms }) => {
    terms.version = '2027-01';
  });
  const { rows } = await pool.pg.query("SELECT state FROM addresses WHERE address = '198.18.4.2'");
  assert.deepEqual(rows, [{ state: 'reserved' }]);
});

test('networks of another length never contain one that is in use', async () => {
  const used = await pool.pg.query<{ address: string }>(
    "SELECT address FROM addresses WHERE family = 6 AND state = 'assigned' AND host = 'fra-epyc'",
  );
  assert.ok(used.rows.length > 0);
  await site.importServers(({ hosts }) => {
    Object.assign(hosts[0]?.networks.ipv6 ?? {}, { cidr: '2001:db8:1000::/44', prefix_length: 56 });
  });
  const { rows } = await pool.pg.query(
    `SELECT f.address, u.address FROM addresses f JOIN addresses u ON u.state = 'assigned' AND f.address && u.address
     WHERE f.state = 'free'`,
  );
  assert.deepEqual(rows, []);
  assert.ok(((await addresses('masklen(address) = 56'))['fra-epyc 6 free'] ?? 0n) > 4000n);
});
