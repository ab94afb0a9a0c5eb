import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests } from '../../../../test/requests.ts';
import { openServers } from '../../../../test/servers.ts';
import { planFault } from '../../../drivers/hypervisor/sandbox/fault.ts';
import { ingestHost } from './ingest.ts';
import { prepareMetrics } from './partitions.ts';
import { rollUpMetrics } from './roll-up.ts';
import sample from './sample-metrics.job.ts';

const site = await openServers();
const { data } = openRequests(site, { ports: site.ports as never });
const who = await site.customer(100_000n);
const { secret: token } = who;
const near = (await site.order(who)).server_uuid;
const far = (
  await site.order(who, { host: 'hel-ryzen', pack_uuid: undefined, cores: 1, memory: 1024, disk: 20 })
).server_uuid;
await site.work();

const pass = (time: { minutes?: number; seconds?: number }) => site.clock.set(site.clock.now().add(time));

async function minute(run = 1): Promise<void> {
  for (let done = 0; done < run; done += 1) {
    pass({ minutes: 1 });
    await site.run(sample);
  }
}

const hour = (uuid: string, more: object = {}) =>
  data('server/rrddata', { uuid, timeframe: 'hour', ...more }, { token });

/** The newest point that there is, once its minute is over. */
async function newest(uuid: string) {
  pass({ minutes: 1 });
  const { series } = await hour(uuid);
  return series.at(-1);
}

/** The point of this minute. */
async function newestIn(uuid: string) {
  const now = site.clock.now();
  pass({ minutes: 1 });
  const { series } = await hour(uuid);
  site.clock.set(now);
  return series.at(-1);
}

/** What a driver would tell of a machine. */
const machine = (serverId: string, uptimeSeconds: number, bytes: number | null) => ({
  serverId,
  power: 'running' as const,
  uptimeSeconds,
  cpu: 0.5,
  memoryUsedBytes: 1024,
  diskUsedBytes: null,
  diskReadBytes: bytes,
  diskWrittenBytes: bytes,
  netInBytes: bytes,
  netOutBytes: bytes,
});

async function told(uptimeSeconds: number, bytes: number | null): Promise<void> {
  const machines = [machine(near, uptimeSeconds, bytes)];
  await ingestHost(site.pool, site.catalogs.current(), { host: 'fra-epyc', now: site.clock.now(), machines });
}

test('what hypervisors tell by the minute is what the hour shows, as shares, bytes and bytes a second', async () => {
  await minute(4);
  const status = await data('server/status', { uuid: near }, { token });
  const { step, start, end, series, gaps } = await hour(near);
  assert.deepEqual([step, end - start, series.length], [60, 3600, 60]);
  assert.equal(gaps, 57, 'three whole minutes are known, and the fourth is not over');
  assert.deepEqual(
    series.map(({ time }: { time: number }) => time),
    Array.from({ length: 60 }, (_, index) => start + 60 * index),
  );
  const last = series.at(-1);
  assert.ok(last.cpu > 0 && last.cpu < 1);
  assert.deepEqual([last.maxcpu, last.maxmem, last.maxdisk], [1, 2 ** 31, 40 * 2 ** 30]);
  assert.equal(Math.floor(last.mem / 2 ** 20), status.usage.memory_used);
  assert.equal(last.disk, status.usage.disk_used * 2 ** 30);
  assert.ok(Math.abs(last.netout - status.usage.net_out / status.uptime) <= 1e-6 * last.netout);
  assert.deepEqual(series.at(0), {
    ...{
      time: start,
      cpu: null,
      mem: null,
      disk: null,
      diskread: null,
      diskwrite: null,
      netin: null,
      netout: null,
    },
    ...{ maxcpu: 1, maxmem: 2 ** 31, maxdisk: 40 * 2 ** 30 },
  });
});

test('a series has the metrics that were asked for, and counts as gaps what is unknown of these', async () => {
  const { series } = await hour(near, { metrics: ['mem', 'netin'] });
  assert.deepEqual(Object.keys(series[0]).sort(), ['maxmem', 'mem', 'netin', 'time']);
});

test('a host that does not answer is a gap of its own servers only', async () => {
  await planFault(site.sandbox, { command: 'metrics', fault: 'timeout_before', host: 'hel-ryzen' });
  await minute();
  assert.equal((await newest(far)).cpu, null);
  await minute();
  assert.notEqual((await newest(far)).cpu, null);
});

test('counters that begin anew make neither a spike nor a hole', async () => {
  await told(6_000, 50_000_000);
  pass({ minutes: 1 });
  await told(6_060, 50_000_000 + 6_000);
  assert.equal((await newest(near)).netin, 100);
  // Restarted 20 seconds ago, and so since the last sample.
  await told(20, 2_400);
  assert.equal((await newest(near)).netin, 40);
  // Its uptime went on, but a counter did not.
  await told(80, 600);
  assert.equal((await newest(near)).netin, 10);
});

test('off, nothing is known but the disk, and bytes of a long silence are no rate', async () => {
  await told(140, 6_600);
  pass({ minutes: 10 });
  await told(740, 6_000_000);
  assert.equal((await newest(near)).netin, null, 'ten minutes of silence');
  await told(0, null);
  assert.equal((await newest(near)).netin, null);
  await told(45, 6_000);
  assert.equal((await newest(near)).netin, 100, 'switched on 45 seconds ago');
});

test('of a minute the first sample counts, and none of a step that was rolled up', async () => {
  pass({ minutes: 5 });
  await told(1_000, 10_000);
  const first = site.clock.now();
  pass({ seconds: 40 });
  await told(1_040, 99_000_000);
  site.clock.set(first);
  assert.equal((await newest(near)).netin, null);
  pass({ minutes: 20 });
  await rollUpMetrics(site.pool, site.clock.now());
  const late = first.add({ minutes: 2 });
  await ingestHost(site.pool, site.catalogs.current(), {
    ...{ host: 'fra-epyc', now: late, machines: [machine(near, 1_120, 20_000)] },
  });
  const { series } = await hour(near);
  const at = Math.floor(late.epochMilliseconds / 60_000) * 60;
  assert.equal(series.find(({ time }: { time: number }) => time === at)?.cpu, null);
});

test('machines that the books do not have here are passed over', async () => {
  pass({ minutes: 1 });
  const machines = [
    machine(far, 60, 1),
    machine('7d3cf2d0-0000-4000-8000-000000000000', 60, 1),
    machine('vm-7', 60, 1),
  ];
  const before = await hour(far);
  await ingestHost(site.pool, site.catalogs.current(), { host: 'fra-epyc', now: site.clock.now(), machines });
  pass({ minutes: 1 });
  assert.equal((await hour(far)).series.at(-1).cpu, null);
  assert.ok(before.gaps < 60);
});

test('what no machine can use is not known, and costs neither the host its samples nor anybody an answer', async () => {
  const { server_uuid: beside } = await site.order(who);
  await site.work();
  const nonsense = [
    ...[{ cpu: Number.NaN }, { cpu: 1e300 }, { cpu: -5 }, { netInBytes: -1 }, { netInBytes: 2 ** 63 }],
    ...[{ netOutBytes: Number.POSITIVE_INFINITY }, { memoryUsedBytes: 1e30 }, { diskUsedBytes: 2 ** 53 }],
    ...[{ uptimeSeconds: -1 }, { uptimeSeconds: 1e19 }, { uptimeSeconds: Number.NaN }],
    ...[0, 1, 0, 1, 0, 1].map((most) => ({ netInBytes: most * 2 ** 51, netOutBytes: most * 2 ** 51 })),
  ];
  for (const [minute, told] of nonsense.entries()) {
    pass({ minutes: 1 });
    await prepareMetrics(site.pool, site.clock.now());
    const machines = [
      { ...machine(near, 10_000 + 60 * minute, 7), ...told },
      machine(beside, 60 * minute, 7),
    ];
    await ingestHost(site.pool, site.catalogs.current(), {
      ...{ host: 'fra-epyc', now: site.clock.now(), machines },
    });
    const { usage } = await data('server/status', { uuid: near }, { token });
    assert.ok(usage.cpu >= 0 && usage.cpu <= 1);
    assert.equal((await newestIn(beside)).mem, 1024);
    assert.ok(await hour(near));
  }
});
