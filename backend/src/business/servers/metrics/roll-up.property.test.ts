import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { openServers } from '../../../../test/servers.ts';
import type { MachineMetrics } from '../../../drivers/hypervisor/port.ts';
import { ingestHost } from './ingest.ts';
import { COUNTERS, METRICS, type Metric } from './metric.ts';
import { prepareMetrics } from './partitions.ts';
import { rollUpMetrics } from './roll-up.ts';
import { instantOf, ROLL_UPS } from './timeframe.ts';

const site = await openServers();
const who = await site.customer(100_000n);
const servers: string[] = [];
for (let made = 0; made < 2; made += 1) servers.push((await site.order(who)).server_uuid);
const BEGIN = Date.parse('2027-03-01T00:00:00Z') / 1000;

type Figures = Record<Metric, number | null>;
interface Told extends Figures {
  readonly uptime: number;
}
type Happening =
  | { readonly kind: 'sample'; readonly server: number; readonly at: number; readonly told: Told }
  | { readonly kind: 'roll_up'; readonly at: number };

const counter = fc.option(fc.integer({ min: 0, max: 10_000_000_000 }), { freq: 6 });
const told = fc.record({
  uptime: fc
    .oneof(fc.constant(0), fc.integer({ max: 200 }), fc.integer({ min: 0, max: 1_000_000 }))
    .map(Math.abs),
  cpu: fc.option(fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)),
  mem: fc.option(fc.integer({ min: 0, max: 2 ** 36 })),
  disk: fc.option(fc.integer({ min: 0, max: 2 ** 42 })),
  diskread: counter,
  diskwrite: counter,
  netin: counter,
  netout: counter,
});

/** Mostly a minute on, sometimes a gap, the same minute again, or long after it should have come. */
const pause = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 55, max: 65 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 2, arbitrary: fc.integer({ min: 100, max: 4_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 4_000, max: 100_000 }) },
);
const late = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 900 }) },
);
const steady = fc.boolean();

const history = fc
  .array(fc.record({ pause, late, told, steady, server: fc.nat(1), rollUp: fc.nat(9) }), {
    minLength: 1,
    maxLength: 120,
  })
  .map((moments) => {
    const happenings: Happening[] = [];
    const before = new Map<number, { at: number; told: Told }>();
    let now = BEGIN;
    for (const moment of moments) {
      now += moment.pause;
      const at = now - moment.late;
      const known = before.get(moment.server);
      // A machine that runs on, as most do: its counters have grown and so has its uptime.
      const next =
        known !== undefined && moment.steady && at > known.at
          ? grown(known.told, at - known.at)
          : moment.told;
      before.set(moment.server, { at, told: next });
      happenings.push({ kind: 'sample', server: moment.server, at, told: next });
      if (moment.rollUp < 4) happenings.push({ kind: 'roll_up', at: now });
    }
    happenings.push({ kind: 'roll_up', at: now + 3 * 86_400 });
    return happenings;
  });

function grown(told: Told, seconds: number): Told {
  const counters = Object.fromEntries(
    COUNTERS.map((name) => [name, told[name] === null ? 5 : told[name] + 1_000 * seconds]),
  );
  return { ...told, ...counters, uptime: told.uptime + seconds };
}

/** The samples that count, as a sentence of the guide would say it, by server and minute. */
function minutesOf(happenings: readonly Happening[]): Map<string, Figures> {
  const minutes = new Map<string, Figures>();
  const last = new Map<number, { at: number; told: Told }>();
  let complete = Number.NEGATIVE_INFINITY;
  for (const happening of happenings) {
    if (happening.kind === 'roll_up') {
      complete = Math.max(complete, Math.floor((happening.at - 120) / 300) * 300);
      continue;
    }
    const { server, at, told: now } = happening;
    const minute = Math.floor(at / 60) * 60;
    const before = last.get(server);
    if (minute < complete || (before !== undefined && (before.at >= minute || at - before.at < 30))) continue;
    last.set(server, { at, told: now });
    const elapsed = before === undefined ? 180 : at - before.at;
    const young = now.uptime < elapsed + 60;
    const restarted =
      before === undefined || before.told.uptime === 0 || now.uptime < before.told.uptime + elapsed - 60;
    const seconds = young && restarted ? Math.max(now.uptime, 60) : elapsed;
    const rates = COUNTERS.map((name) => {
      const [value, old] = [now[name], young && restarted ? 0 : (before?.told[name] ?? null)];
      if (value === null || old === null || seconds > 180) return [name, null];
      return [name, (value < old ? value : value - old) / seconds];
    });
    minutes.set(`${server} ${minute}`, { ...now, ...Object.fromEntries(rates) });
  }
  return minutes;
}

test('roll-ups are what the samples come to, whatever gaps, restarts, repetitions and delays there were', async () => {
  const owner = new pg.Client({ connectionString: site.database.url });
  await owner.connect();
  try {
    await fc.assert(
      fc.asyncProperty(history, async (happenings) => {
        await owner.query('TRUNCATE server_metrics, server_meters, server_traffic');
        await owner.query('UPDATE server_roll_ups SET rolled_up_to = NULL');
        for (const happening of happenings) {
          const now = instantOf(happening.at);
          await prepareMetrics(site.pool, now);
          if (happening.kind === 'roll_up') await rollUpMetrics(site.pool, now);
          else {
            const machines = [machineOf(servers[happening.server] ?? '', happening.told)];
            await ingestHost(site.pool, site.catalogs.current(), { host: 'fra-epyc', now, machines });
          }
        }
        const minutes = minutesOf(happenings);
        for (const { to } of ROLL_UPS) await compare(to.step, minutes);
      }),
      { numRuns: 12 },
    );
  } finally {
    await owner.end();
  }

  async function compare(step: number, minutes: ReadonlyMap<string, Figures>): Promise<void> {
    const steps = Map.groupBy(minutes, ([key]) => {
      const [server, minute] = key.split(' ').map(Number);
      return `${servers[server ?? 0]} ${Math.floor((minute ?? 0) / step) * step}`;
    });
    const { rows } = await owner.query(
      `SELECT server_id || ' ' || extract(epoch FROM at)::bigint AS key, * FROM server_metrics WHERE step = $1`,
      [step],
    );
    const found = new Map(rows.map((row) => [row.key, row]));
    for (const [key, samples] of steps) {
      for (const metric of METRICS) {
        const known = samples.flatMap(([, figures]) => figures[metric] ?? []);
        const average = known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
        const where = `${metric} of ${key} by ${step} s`;
        near(found.get(key)?.[`${metric}_avg`] ?? null, average, `average ${where}`);
        near(
          found.get(key)?.[`${metric}_max`] ?? null,
          known.length === 0 ? null : Math.max(...known),
          `most ${where}`,
        );
      }
    }
    for (const key of found.keys()) assert.ok(steps.has(key), `nothing was sampled in ${key} by ${step} s`);
  }
});

/** Figures are kept with seven digits. */
function near(found: number | null, expected: number | null, what: string): void {
  if (found === null || expected === null) assert.equal(found, expected, what);
  else
    assert.ok(Math.abs(found - expected) <= 1e-6 * Math.abs(expected), `${what}: ${found}, not ${expected}`);
}

function machineOf(serverId: string, figures: Told): MachineMetrics {
  return {
    serverId,
    power: 'running',
    uptimeSeconds: figures.uptime,
    cpu: figures.cpu,
    memoryUsedBytes: figures.mem,
    diskUsedBytes: figures.disk,
    diskReadBytes: figures.diskread,
    diskWrittenBytes: figures.diskwrite,
    netInBytes: figures.netin,
    netOutBytes: figures.netout,
  };
}
