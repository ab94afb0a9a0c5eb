// Slow: 10 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests } from '../../../../test/requests.ts';
import { openServers } from '../../../../test/servers.ts';
import rollUp from './roll-up-metrics.job.ts';
import rotate from './rotate-metrics.job.ts';
import sample from './sample-metrics.job.ts';
import { RESOLUTIONS, TIMEFRAMES } from './timeframe.ts';

const DAYS = 400;
/** Every so many days something is sampled; the days between are silent, as if the worker had been switched off. */
const EVERY = 3;

const site = await openServers();
const { data } = openRequests(site, { ports: site.ports as never });
const who = await site.customer(100_000n);
const { secret: token } = who;
const servers = [(await site.order(who)).server_uuid, (await site.order(who)).server_uuid];
await site.work();

async function twoMinutes(): Promise<void> {
  for (let minute = 0; minute < 2; minute += 1) {
    site.clock.set(site.clock.now().add({ minutes: 1 }));
    await site.run(sample);
  }
}

async function partitions(step: number): Promise<number> {
  const { rows } = await site.pool.pg.query(
    'SELECT count(*)::int AS count FROM pg_inherits WHERE inhparent = $1::regclass',
    [`server_metrics_${step}`],
  );
  return rows[0]?.count;
}

test('a year of samples rotates: every chart is whole, and what is kept does not grow', async () => {
  for (let day = 0; day < DAYS; day += EVERY) {
    await twoMinutes();
    site.clock.set(site.clock.now().add({ minutes: 24 * 60 * EVERY - 2 }));
    await site.run(rollUp);
    await site.run(rotate);
  }
  await twoMinutes();
  site.clock.set(site.clock.now().add({ minutes: 10 }));
  await site.run(rollUp);

  for (const timeframe of TIMEFRAMES) {
    const { step, kept, partition } = RESOLUTIONS[timeframe];
    // What is kept, what goes with it because it lies in the same partition, and what is ahead.
    const most = Math.ceil(kept / partition) + 1 + 2;
    assert.ok((await partitions(step)) <= most, `partitions of ${timeframe}`);
    const { rows } = await site.pool.pg.query(
      'SELECT count(*)::int AS count, min(at) AS first FROM server_metrics WHERE step = $1',
      [step],
    );
    const age = site.clock.now().since(rows[0]?.first).total('seconds');
    assert.ok(age <= kept + partition, `what is kept of ${timeframe} is ${age} s old`);
    assert.ok(rows[0]?.count > 0, `nothing is kept of ${timeframe}`);
  }

  for (const uuid of servers) {
    const { series, gaps, step } = await data(
      'server/rrddata',
      { uuid, timeframe: 'year', cf: 'max' },
      { token },
    );
    assert.deepEqual([series.length, step], [366, 86_400]);
    assert.equal(gaps, 366 - 366 / EVERY);
    const known = series.filter((point: { cpu: number | null }) => point.cpu !== null);
    assert.ok(
      known.every((point: { netin: number }) => point.netin < 20_000),
      'days of silence are no spike',
    );
  }
});

test('what was used lies in one period for each month of the year', async () => {
  const { rows } = await site.pool.pg.query(
    'SELECT period_from::text, period_to::text FROM server_traffic WHERE server_id = $1 ORDER BY period_to',
    [servers[0]],
  );
  assert.ok(rows.length >= 13 && rows.length <= 14, `${rows.length} periods`);
  assert.deepEqual(
    rows.slice(1).map((row) => row.period_from),
    rows.slice(0, -1).map((row) => row.period_to),
  );
});

test('figures of a server that is gone are forgotten with time', async () => {
  const [gone] = servers;
  await site.pool.pg.query('UPDATE servers SET removed_at = $2 WHERE id = $1', [
    gone,
    site.clock.now().toString(),
  ]);
  site.clock.set(site.clock.now().add({ hours: 24 * 800 }));
  await site.run(rotate);
  const { rows } = await site.pool.pg.query(
    `SELECT (SELECT count(*)::int FROM server_meters WHERE server_id = $1) AS meters,
       (SELECT count(*)::int FROM server_traffic) AS traffic, (SELECT count(*)::int FROM server_metrics) AS metrics`,
    [gone],
  );
  assert.deepEqual(rows, [{ meters: 0, traffic: 0, metrics: 0 }]);
});
