import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { Sealer } from '../backend/src/base/seal.ts';
import { generateSigningKey, signerOf } from '../backend/src/base/sign.ts';
import { prepareMetrics } from '../backend/src/business/servers/metrics/partitions.ts';
import rollUp from '../backend/src/business/servers/metrics/roll-up-metrics.job.ts';
import rotate from '../backend/src/business/servers/metrics/rotate-metrics.job.ts';
import sample from '../backend/src/business/servers/metrics/sample-metrics.job.ts';
import { chartOf, type Timeframe } from '../backend/src/business/servers/metrics/timeframe.ts';
import type { MachineMetrics } from '../backend/src/drivers/hypervisor/port.ts';
import { SandboxHypervisor } from '../backend/src/drivers/hypervisor/sandbox/hypervisor.ts';
import type { CommandPorts } from '../backend/src/drivers/ports.ts';
import list from '../backend/src/operations/server/list.ts';
import rrddata from '../backend/src/operations/server/rrddata.ts';
import status from '../backend/src/operations/server/status.ts';
import type { Job } from '../backend/src/work/job.ts';
import { type BenchDatabase, query, startPostgres } from './databases.ts';
import { type InProcess, openInProcess } from './in-process.ts';
import { inTurns } from './in-turns.ts';
import { machine } from './machine.ts';
import { processorTimeWithChildren } from './processor-time.ts';
import { fillSeries, fillServers, type Owner } from './server-fill.ts';

const USAGE = `Usage: npm run bench:servers -- [filter] [--servers 100000] [--few 100] [--sampled 10000] [--minutes 30] [--seconds 20]

Asks for servers among that many and among few, and for charts beside the charts of ten thousand servers: what an answer
costs must not grow with what others have. Whole requests, less HTTP. Then samples ten thousand servers by the minute, roll-ups
included, and tells what a minute costs. Filters: answers, charts, samples.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    servers: { type: 'string', default: '100000' },
    few: { type: 'string', default: '100' },
    sampled: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const seconds = Number(values.seconds);
const wants = (part: string) => positionals.length === 0 || positionals.includes(part);

const NOW = Temporal.Instant.from('2027-06-15T10:00:30Z');
const EACH = 100;
const TOKENS = 200;
const RATIO = 0.9;
/** Of one core, for ten thousand servers a minute: the program and PostgreSQL together. */
const SHARE = 0.1;
const CHARTS: readonly Timeframe[] = ['hour', 'year'];

interface Side extends InProcess {
  readonly database: BenchDatabase;
  /** Somebody who asks, each in turn, and one of their servers. */
  next(): { token: string; uuid: string };
}

let missed = 0;
function verdict(isMet: boolean): string {
  if (!isMet) missed += 1;
  return isMet ? 'met' : 'MISSED';
}

const postgres = await startPostgres();

let opened = 0;
async function open(servers: number, each: number): Promise<Side> {
  opened += 1;
  const database = await postgres.create(`servers_${opened}`);
  const owners = await fillServers(database, { servers, each, now: NOW });
  const site = await openInProcess(database, {
    size: 4,
    now: () => NOW,
    ports: (pool) => ({ hypervisor: new SandboxHypervisor({ db: pool, clock: { now: () => NOW } }) }),
  });
  const askers: { token: string; uuid: string }[] = [];
  for (const owner of spread(owners, TOKENS)) askers.push(await askerOf(site, owner));
  let asked = 0;
  return {
    ...site,
    database,
    next() {
      asked += 1;
      const asker = askers[asked % askers.length];
      if (asker === undefined) throw new Error('nobody asks');
      return asker;
    },
  };
}

async function askerOf(site: InProcess, { accountId, userId }: Owner) {
  const { rows } = await site.pool.pg.query<{ id: string }>(
    'SELECT id FROM services WHERE account_id = $1 LIMIT 1',
    [accountId],
  );
  return { token: await site.tokenOf(accountId, userId), uuid: rows[0]?.id ?? '' };
}

/** So many, spread evenly: where there are fewer, each several times, so that as many tokens ask on either side. */
function spread<T>(all: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]).filter(
    (one) => one !== undefined,
  );
}

const askList = (side: Side) => side.ask(list, side.next().token, {});
function askStatus(side: Side) {
  const { token, uuid } = side.next();
  return side.ask(status, token, { uuid });
}
const askChart = (timeframe: Timeframe) => (side: Side) => {
  const { token, uuid } = side.next();
  return side.ask(rrddata, token, { uuid, timeframe });
};

async function compare(name: string, sides: readonly [Side, Side], ask: (side: Side) => Promise<unknown>) {
  const [few, many] = sides;
  const { first, second, ratio } = await inTurns(
    () => ask(few),
    () => ask(many),
    seconds,
  );
  const said = verdict(ratio >= RATIO);
  console.log(
    `${first.toFixed(0).padStart(6)} ${second.toFixed(0).padStart(6)}  ${ratio.toFixed(2)} ${said.padEnd(6)}  ${name}`,
  );
}

async function answers(): Promise<void> {
  const [few, many] = [Number(values.few), Number(values.servers)];
  const sides = [await open(few, EACH), await open(many, EACH)] as const;
  const one = await open(many, many);
  console.log(`\nanswers per second at ${few} and at ${many} servers; ratio, at least ${RATIO}\n`);
  await compare('server/list', sides, askList);
  await compare('server/status', sides, askStatus);
  await compare('server/list, of one customer who has them all', [sides[0], one], askList);
  await Promise.all([...sides, one].map((side) => side.close()));
}

async function charts(): Promise<void> {
  const [few, many] = [1, Number(values.sampled)];
  const sides = [await open(few, EACH), await open(many, EACH)] as const;
  for (const side of sides) {
    for (const timeframe of CHARTS) {
      const { start, end, step } = chartOf(timeframe, NOW);
      for (let at = start; at < end + 7_776_000; at += 3_600 * 24 * 30)
        await prepareMetrics(side.pool, Temporal.Instant.fromEpochMilliseconds(at * 1000));
      await prepareMetrics(side.pool, NOW);
      const rows = await fillSeries(side.database, { start, end, step });
      console.log(`${rows.toLocaleString('en')} rows of the ${timeframe}`);
    }
    await query(side.database.url, 'VACUUM ANALYZE server_metrics');
  }
  console.log(`\ncharts per second of ${few} and among ${many} servers; ratio, at least ${RATIO}\n`);
  for (const timeframe of CHARTS) await compare(`server/rrddata, ${timeframe}`, sides, askChart(timeframe));
  await Promise.all(sides.map((side) => side.close()));
}

/** Machines as hypervisors tell of them, whose counters grow; made before anything is measured. */
async function told(site: Side, minute: number): Promise<Map<string, MachineMetrics[]>> {
  const { rows } = await query<{ id: string; host: string }>(
    site.database.url,
    'SELECT id, host FROM servers',
  );
  const counted = 1_000_000 * minute;
  const machines = rows.map(({ id: serverId, host }, index) => ({
    host,
    machine: {
      serverId,
      power: 'running' as const,
      uptimeSeconds: 100_000 + 60 * minute,
      cpu: (index % 100) / 100,
      memoryUsedBytes: 4_000_000_000 + index,
      diskUsedBytes: 20_000_000_000 + index,
      diskReadBytes: counted + index,
      diskWrittenBytes: 2 * counted + index,
      netInBytes: 3 * counted + index,
      netOutBytes: 4 * counted + index,
    },
  }));
  return new Map(
    [...Map.groupBy(machines, ({ host }) => host)].map(([host, found]) => [
      host,
      found.map((one) => one.machine),
    ]),
  );
}

async function samples(): Promise<void> {
  const servers = Number(values.sampled);
  const minutes = Number(values.minutes);
  const site = await open(servers, EACH);
  const sealer = new Sealer('bench', new Map([['bench', Buffer.alloc(32)]]));
  const signer = signerOf('bench', generateSigningKey().privateKeyPkcs8);
  const context = { catalogs: site.catalogs, sealer, signer, log: pino({ level: 'error' }) };
  let answersOfHosts = new Map<string, MachineMetrics[]>();
  const hypervisor = {
    metrics: async (host: string) => ({ machines: answersOfHosts.get(host) ?? [], unreachableNodes: [] }),
  };
  const ports = { hypervisor } as unknown as CommandPorts;
  const run = async (job: Job, now: Temporal.Instant) => {
    if (job.kind !== 'maintenance') throw new Error(`${job.name} is no upkeep`);
    await job.run(site.pool, { ...context, now }, ports);
  };
  const used = { program: 0, postgres: 0 };
  for (let minute = 1; minute <= minutes; minute += 1) {
    answersOfHosts = await told(site, minute);
    const now = NOW.add({ minutes: minute });
    const [program, backends] = [process.cpuUsage(), processorTimeWithChildren(postgres.pid) ?? Number.NaN];
    await run(sample, now);
    await run(rollUp, now);
    if (minute % 60 === 0) await run(rotate, now);
    const { user, system } = process.cpuUsage(program);
    used.program += (user + system) / 1e6;
    used.postgres += ((processorTimeWithChildren(postgres.pid) ?? Number.NaN) - backends) / 1e6;
  }
  const { rows } = await query<{ samples: number; steps: number }>(
    site.database.url,
    `SELECT count(*) FILTER (WHERE step = 60)::int AS samples, count(*) FILTER (WHERE step > 60)::int AS steps
     FROM server_metrics`,
  );
  const each = { program: used.program / minutes, postgres: used.postgres / minutes };
  const share = (each.program + each.postgres) / 60;
  console.log(
    `\n${servers} servers sampled for ${minutes} minutes: ${rows[0]?.samples} samples, ${rows[0]?.steps} roll-ups`,
  );
  console.log(
    `a minute costs the program ${each.program.toFixed(2)} s and PostgreSQL ${each.postgres.toFixed(2)} s of processor time: ` +
      `${(100 * share).toFixed(1)} % of a core, at most ${100 * SHARE}: ${verdict(share <= SHARE)}`,
  );
  await site.close();
}

try {
  console.log(machine(postgres.version));
  if (wants('answers')) await answers();
  if (wants('charts')) await charts();
  if (wants('samples')) await samples();
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await postgres.stop();
}
