import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openRequests, staffToken } from '../../../../test/requests.ts';
import { openServers } from '../../../../test/servers.ts';
import { planFault, type SandboxCommand } from '../../../drivers/hypervisor/sandbox/fault.ts';
import { ingestHost } from '../metrics/ingest.ts';
import { prepareMetrics } from '../metrics/partitions.ts';
import sample from '../metrics/sample-metrics.job.ts';
import { settleExceeded } from '../traffic/exceeded.ts';
import unthrottle from '../traffic/unthrottle.job.ts';
import networkDue from './network-due.job.ts';

const GIB = 1024 ** 3;

const site = await openServers((document) => {
  for (const pack of document.server_packages) Object.assign(pack, { traffic: 10 });
  for (const host of document.hosts) Object.assign(host, { traffic: { included: 5, throttle: 50 } });
});
const { data } = openRequests(site, { ports: site.ports as never });
const staff = { token: await staffToken(site) };
const who = await site.customer(100_000n);
const { server_uuid: uuid } = await site.order(who, { auto_renew: true });
await site.work();

async function machine(): Promise<{ uplink: number; null_routed: string[] }> {
  const { rows } = await site.pool.pg.query(
    `SELECT uplink, ARRAY(SELECT abbrev(a) FROM unnest(null_routed) a) AS null_routed
     FROM sandbox.machines WHERE server_id = $1`,
    [uuid],
  );
  return rows[0];
}

/** Does something while the node is away for as long as its job is tried; then the node is back. */
async function whileAway(command: SandboxCommand, work: () => Promise<unknown>): Promise<void> {
  const before = await machine();
  await planFault(site.sandbox, { command, fault: 'timeout_before', serverId: uuid, times: 1_000 });
  await work();
  await site.work();
  await site.queue.query('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
  await site.work();
  assert.deepEqual(await machine(), before);
  await site.pool.pg.query('DELETE FROM sandbox.faults');
}

async function nodeIsBack(): Promise<void> {
  await site.run(networkDue);
  await site.work();
}

async function nothingIsLeft(): Promise<void> {
  await site.run(networkDue);
  const { rows } = await site.queue.query(
    'SELECT key FROM graphile_worker._private_jobs WHERE attempts < max_attempts',
  );
  assert.deepEqual(rows, []);
}

test('an address is cut off, and reached again, soon after its node is back, however long that was away', async () => {
  const { ipv4 } = await data('server/ipaddresses', { uuid }, { token: who.secret });
  const { ip_address } = ipv4[0];
  const route = (null_routed: boolean) => data('staff/null-route', { ip_address, null_routed }, staff);
  await whileAway('ensure_reach', () => route(true));
  await nodeIsBack();
  assert.deepEqual((await machine()).null_routed, [ip_address]);
  await nothingIsLeft();
  await whileAway('ensure_reach', () => route(false));
  await nodeIsBack();
  assert.deepEqual((await machine()).null_routed, []);
  await nothingIsLeft();
});

test('a server is throttled, and has its uplink again, soon after its node is back, however long that was away', async () => {
  const catalog = site.catalogs.current();
  await site.run(sample);
  await whileAway('ensure_resized', async () => {
    site.clock.set(site.clock.now().add({ minutes: 1 }));
    const now = site.clock.now();
    await prepareMetrics(site.pool, now);
    const unknown = {
      memoryUsedBytes: null,
      diskUsedBytes: null,
      diskReadBytes: null,
      diskWrittenBytes: null,
    };
    const seen = { serverId: uuid, power: 'running' as const, uptimeSeconds: 60, cpu: 0.1, ...unknown };
    const machines = [{ ...seen, netInBytes: 20 * GIB, netOutBytes: 0 }];
    const exceeded = await ingestHost(site.pool, catalog, { host: 'fra-epyc', now, machines });
    await settleExceeded(site.pool, catalog, exceeded, now);
  });
  await nodeIsBack();
  assert.equal((await machine()).uplink, 50);
  await nothingIsLeft();
  await whileAway('ensure_resized', async () => {
    site.clock.set(Temporal.Instant.from('2027-02-15T12:00:01Z'));
    await site.run(unthrottle);
  });
  await nodeIsBack();
  assert.equal((await machine()).uplink, 1000);
  await nothingIsLeft();
});

test('an update that changes the filter has each machine get the one of today, where it runs', async () => {
  const renewed = new URL('../../../db/migrations/0081_filters_renewed.sql', import.meta.url);
  await nothingIsLeft();
  await site.queue.query(readFileSync(renewed, 'utf8'));
  await site.run(networkDue);
  const { rows } = await site.queue.query(
    'SELECT key FROM graphile_worker._private_jobs WHERE attempts < max_attempts',
  );
  assert.deepEqual(rows, [{ key: `server.network_access:${uuid}` }]);
  await site.work();
  await nothingIsLeft();
});
