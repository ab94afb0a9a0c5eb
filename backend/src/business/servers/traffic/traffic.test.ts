import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests } from '../../../../test/requests.ts';
import { openServers } from '../../../../test/servers.ts';
import { wireTime } from '../../../base/time.ts';
import { ingestHost } from '../metrics/ingest.ts';
import { prepareMetrics } from '../metrics/partitions.ts';
import sample from '../metrics/sample-metrics.job.ts';
import { settleExceeded } from './exceeded.ts';
import { periodAt } from './period.ts';
import unthrottle from './unthrottle.job.ts';

const GIB = 1024 ** 3;

const site = await openServers((document) => {
  for (const pack of document.server_packages) Object.assign(pack, { traffic: 10 });
  for (const host of document.hosts) Object.assign(host, { traffic: { included: 5, throttle: 50 } });
});
const { data } = openRequests(site, { ports: site.ports as never });
const who = await site.customer(100_000n);
const { secret: token } = who;
const ordered = await site.order(who, { auto_renew: true });
const uuid = ordered.server_uuid;
await site.work();

const pass = (time: { minutes?: number; hours?: number }) => site.clock.set(site.clock.now().add(time));
const status = () => data('server/status', { uuid }, { token });
const uplink = async () =>
  (await site.pool.pg.query('SELECT uplink FROM sandbox.machines WHERE server_id = $1', [uuid])).rows[0]
    ?.uplink;

async function used(uptimeSeconds: number, netIn: number, netOut: number): Promise<void> {
  const machine = { serverId: uuid, power: 'running' as const, uptimeSeconds, cpu: 0.1 };
  const unknown = { memoryUsedBytes: null, diskUsedBytes: null, diskReadBytes: null, diskWrittenBytes: null };
  const now = site.clock.now();
  const machines = [{ ...machine, ...unknown, netInBytes: netIn, netOutBytes: netOut }];
  const catalog = site.catalogs.current();
  await prepareMetrics(site.pool, now);
  await settleExceeded(
    site.pool,
    catalog,
    await ingestHost(site.pool, catalog, { host: 'fra-epyc', now, machines }),
    now,
  );
  await site.work();
}

async function events(type: string) {
  const { rows } = await site.pool.pg.query('SELECT body FROM events WHERE type = $1 ORDER BY sequence', [
    type,
  ]);
  return rows.map((row) => row.body);
}

test('before the first sample nothing is used of what the package includes, until the end of the term', async () => {
  const { traffic } = await status();
  assert.deepEqual(traffic, {
    used: 0,
    included: 10 * GIB,
    period_end: wireTime(Temporal.Instant.from('2027-02-15T12:00:00Z')),
    throttled: false,
  });
});

test('both directions count, once each, over restarts', async () => {
  pass({ minutes: 1 });
  await site.run(sample);
  const { usage, traffic } = await status();
  assert.equal(traffic.used, usage.net_in + usage.net_out);
  const before = traffic.used;
  pass({ minutes: 1 });
  await used(20, 1_000, 2_000);
  assert.equal((await status()).traffic.used, before + 3_000, 'restarted: what the counters show is new');
  pass({ minutes: 1 });
  await used(80, 1_500, 2_500);
  assert.equal((await status()).traffic.used, before + 4_000);
  await used(80, 9_000, 9_000);
  assert.equal((await status()).traffic.used, before + 4_000, 'a minute counts once');
  pass({ hours: 5 });
  await used(5 * 3_600 + 80, 2 * GIB, 3_500);
  assert.equal(
    (await status()).traffic.used,
    before + 4_000 + 2 * GIB - 1_500 + 1_000,
    'also after a silence',
  );
});

test('whoever uses more than is included is told once, and throttled', async () => {
  assert.equal(await uplink(), 1000);
  pass({ minutes: 1 });
  await used(5 * 3_600 + 140, 8 * GIB, 4 * GIB);
  const { traffic } = await status();
  assert.ok(traffic.used > traffic.included);
  assert.equal(traffic.throttled, true);
  assert.equal(await uplink(), 50);
  pass({ minutes: 1 });
  await used(5 * 3_600 + 200, 8 * GIB + 1, 4 * GIB);
  const told = await events('server.traffic_exceeded');
  assert.equal(told.length, 1);
  assert.deepEqual(
    [told[0].included, told[0].throttled_to, told[0].period_end],
    [10 * GIB, 50, traffic.period_end],
  );
});

test('a period that goes on keeps the throttle; its end gives the uplink back, also without a sample', async () => {
  await site.run(unthrottle);
  await site.work();
  assert.equal(await uplink(), 50);
  site.clock.set(Temporal.Instant.from('2027-02-15T12:00:01Z'));
  await site.run(unthrottle);
  await site.work();
  assert.equal(await uplink(), 1000);
  assert.deepEqual(await events('server.unthrottled'), [{ uplink: 1000 }]);
  const { traffic } = await status();
  assert.deepEqual([traffic.used, traffic.throttled], [0, false]);
});

test('another period counts from nothing, and keeps what was used of the one before', async () => {
  await used(1_000_000, 9 * GIB, 4 * GIB);
  const { traffic } = await status();
  assert.equal(traffic.used, 13 * GIB, 'restarted meanwhile');
  const { rows } = await site.pool.pg.query(
    'SELECT period_from, period_to FROM server_traffic ORDER BY period_to',
  );
  assert.equal(rows.length, 2);
  assert.equal(rows[0]?.period_to.toString(), rows[1]?.period_from.toString());
});

test('a package that includes more by now throttles nobody', async () => {
  await site.importServers((document) => {
    for (const pack of document.server_packages) Object.assign(pack, { traffic: 1000 });
    for (const host of document.hosts) Object.assign(host, { traffic: { included: 5, throttle: 50 } });
  });
  pass({ minutes: 1 });
  await used(1_000_060, 40 * GIB, 4 * GIB);
  const { traffic } = await status();
  assert.deepEqual([traffic.included, traffic.throttled], [1000 * GIB, false]);
});

test('a billing period is the month between two days of the anchor, of months of every length', () => {
  const billed = {
    duration_unit: 'year' as const,
    anchor_day: 31,
    expire_at: Temporal.Instant.from('2028-01-31T08:00:00Z'),
    created_at: Temporal.Instant.from('2027-01-31T08:00:00Z'),
  };
  const at = (moment: string) => {
    const { from, to } = periodAt(billed, Temporal.Instant.from(moment));
    return `${from} ${to}`;
  };
  assert.equal(at('2027-02-28T07:59:59Z'), '2027-01-31T08:00:00Z 2027-02-28T08:00:00Z');
  assert.equal(at('2027-02-28T08:00:00Z'), '2027-02-28T08:00:00Z 2027-03-31T08:00:00Z');
  assert.equal(at('2027-12-31T23:00:00Z'), '2027-12-31T08:00:00Z 2028-01-31T08:00:00Z');
  assert.equal(at('2028-02-01T00:00:00Z'), '2028-01-31T08:00:00Z 2028-02-29T08:00:00Z');
});
