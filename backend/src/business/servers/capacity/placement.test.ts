import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { openServers } from '../../../../test/servers.ts';
import { type Transaction, transaction } from '../../../db/transaction.ts';
import type { Configuration } from '../configuration.ts';
import { freeQuarantined, type Placement, placeOn, returnPlacements } from './placement.ts';

// Little of everything, so that all of it runs out.
const site = await openServers(({ hosts }) => {
  for (const host of hosts) {
    host.nodes = ['a', 'b'].map((letter) => ({
      name: `${host.name}-${letter}`,
      capacity: { cores: 16, memory: 65_536, disk: 1_000 },
    }));
    const [first = ''] = host.networks.ipv4.cidr.split('/');
    host.networks.ipv4.cidr = `${first}/28`;
    host.networks.ipv6.cidr = host.networks.ipv6.cidr.replace(/\/\d+$/, '/60');
  }
});
const { pool, clock } = site;
const who = await site.customer(0n);

const SMALL: Configuration = {
  cores: 1,
  memory: 1024,
  disk: 20,
  uplink: 100,
  ipv4: 1,
  ipv6: true,
  backupSlots: 0,
};

class RolledBack extends Error {}

/** Takes a place and adds the server that it is for, as an order does. */
async function take(host: string, configuration: Configuration, end: 'commit' | 'rollback' = 'commit') {
  const serverId = randomUUID();
  const place = await transaction(pool, async (tx) => {
    const taken = await placeOn(
      tx,
      { serverId, accountId: who.accountId, host, configuration, rdns: null },
      clock.now(),
    );
    if (taken !== null && end === 'commit') await addServer(tx, serverId, host, taken, configuration);
    if (taken === null || end === 'rollback') throw new RolledBack();
    return taken;
  }).catch((error) => {
    if (error instanceof RolledBack) return null;
    throw error;
  });
  return place === null ? null : { serverId, ...place };
}

async function addServer(
  tx: Transaction,
  id: string,
  host: string,
  { node }: Placement,
  { cores, memory, disk, uplink }: Configuration,
): Promise<void> {
  const now = clock.now();
  await tx.kysely
    .insertInto('services')
    .values({
      id,
      account_id: who.accountId,
      product: 'server',
      item: 'custom',
      name: 'test',
      state: 'active',
      auto_renew: false,
      duration: 1,
      duration_unit: 'month',
      anchor_day: 1,
      expire_at: now,
      created_at: now,
    })
    .execute();
  const server = { id, host, node, hostname: 'a.example', os: 'debian-13', username: 'root' };
  await tx.kysely
    .insertInto('servers')
    .values({ ...server, cores, memory, disk, uplink })
    .execute();
}

async function give(serverId: string): Promise<void> {
  await transaction(pool, async (tx) => {
    await returnPlacements(tx, [serverId], clock.now());
    await tx.kysely
      .updateTable('services')
      .set({ ended_at: clock.now(), state: 'deleted' })
      .where('id', '=', serverId)
      .execute();
    await tx.kysely
      .updateTable('servers')
      .set({ removed_at: clock.now() })
      .where('id', '=', serverId)
      .execute();
  });
}

async function giveAll(): Promise<void> {
  const { rows } = await pool.pg.query<{ id: string }>('SELECT id FROM services WHERE ended_at IS NULL');
  for (const { id } of rows) await give(id);
  await transaction(pool, (tx) => freeQuarantined(tx, clock.now()));
}

async function free(host: string): Promise<{ ipv4: bigint; ipv6: bigint }> {
  const { rows } = await pool.pg.query<{ ipv4: bigint; ipv6: bigint }>(
    `SELECT count(*) FILTER (WHERE family = 4) AS ipv4, count(*) FILTER (WHERE family = 6) AS ipv6
     FROM addresses WHERE host = $1 AND state = 'free'`,
    [host],
  );
  return rows[0] ?? { ipv4: 0n, ipv6: 0n };
}

test('a place is a node with room, addresses of the host, and their gateways', async () => {
  const place = await take('fra-epyc', { ...SMALL, ipv4: 2 });
  assert.match(place?.node ?? '', /^fra-epyc-[ab]$/);
  assert.deepEqual(
    place?.ipv4.map(({ address, gateway }) => [address, gateway]),
    [
      ['198.18.0.2', '198.18.0.1'],
      ['198.18.0.3', '198.18.0.1'],
    ],
  );
  assert.deepEqual(place?.ipv6, [{ address: '2001:db8:1000::/64', gateway: 'fe80::1', rdns: null }]);
  await giveAll();
});

test('as many orders at once as there are addresses get one each, and every further one gets none', async () => {
  const { ipv4 } = await free('fra-epyc');
  assert.equal(ipv4, 13n, 'all of a /28 but the network, the broadcast and the gateway');
  const places = await Promise.all(Array.from({ length: 40 }, () => take('fra-epyc', SMALL)));
  const given = places.flatMap((place) => place?.ipv4.map(({ address }) => address) ?? []);
  assert.equal(given.length, 13);
  assert.equal(new Set(given).size, 13);
  assert.deepEqual(await site.stockProblems(), []);
  await giveAll();
});

test('nodes that others are writing are waited for, not taken for full', async () => {
  const half = { ...SMALL, cores: 8 };
  const places = await Promise.all(Array.from({ length: 8 }, () => take('fra-epyc', half)));
  assert.equal(places.filter((place) => place !== null).length, 4, 'two on each of two nodes of 16 cores');
  assert.deepEqual(await site.stockProblems(), []);
  await giveAll();
});

test('servers are spread over the nodes', async () => {
  const nodes = new Set<string>();
  for (let count = 0; count < 4; count += 1) nodes.add((await take('fra-epyc', SMALL))?.node ?? '');
  assert.deepEqual([...nodes].sort(), ['fra-epyc-a', 'fra-epyc-b']);
  await giveAll();
});

test('what was taken and rolled back is free again', async () => {
  const before = await free('fra-epyc');
  assert.equal(await take('fra-epyc', SMALL, 'rollback'), null);
  assert.deepEqual(await free('fra-epyc'), before);
  assert.deepEqual(await site.stockProblems(), []);
});

test('a node that is retired takes no more servers', async () => {
  await pool.pg.query("UPDATE nodes SET active = false WHERE name = 'fra-epyc-a'");
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await take('fra-epyc', SMALL))?.node, 'fra-epyc-b');
  }
  await pool.pg.query('UPDATE nodes SET active = true');
  await giveAll();
});

test('a released address is given to nobody until its quarantine ends', async () => {
  const place = await take('fra-epyc', SMALL);
  await give(place?.serverId ?? '');
  const next = await take('fra-epyc', SMALL);
  assert.notEqual(next?.ipv4[0]?.address, place?.ipv4[0]?.address);
  const early = clock.now().subtract({ seconds: 1 });
  assert.equal(await transaction(pool, (tx) => freeQuarantined(tx, early)), 0);
  assert.equal(await transaction(pool, (tx) => freeQuarantined(tx, clock.now())), 2);
  assert.equal((await take('fra-epyc', SMALL))?.ipv4[0]?.address, place?.ipv4[0]?.address);
  await giveAll();
});

test('whatever is taken, given back and rolled back at once: nothing is given twice, lost or overfilled', async () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom('commit' as const, 'commit' as const, 'rollback' as const),
        host: fc.constantFrom('fra-epyc', 'hel-ryzen'),
        cores: fc.constantFrom(1, 4, 16),
        ipv4: fc.constantFrom(0, 1, 1, 4),
        ipv6: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('give' as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const alive: { serverId: string; ipv4: Placement['ipv4']; ipv6: Placement['ipv6'] }[] = [];
      await Promise.all(
        steps.map(async (each) => {
          if (each.kind === 'give') {
            const gone = alive.pop();
            if (gone !== undefined) await give(gone.serverId);
            return;
          }
          const { host, cores, ipv4, ipv6, kind } = each;
          const place = await take(host, { ...SMALL, cores, ipv4, ipv6 }, kind);
          if (place !== null) alive.push(place);
        }),
      );
      const given = alive.flatMap(({ ipv4, ipv6 }) => [...ipv4, ...ipv6].map(({ address }) => address));
      assert.equal(new Set(given).size, given.length, 'an address was given twice');
      const { rows } = await pool.pg.query<{ address: string }>(
        "SELECT address FROM addresses WHERE state = 'assigned'",
      );
      assert.deepEqual(rows.map(({ address }) => address).sort(), given.sort());
      assert.deepEqual(
        (await site.stockProblems()).filter((problem) => !problem.startsWith('no address')),
        [],
      );
      await giveAll();
    }),
    { numRuns: 40 },
  );
});
