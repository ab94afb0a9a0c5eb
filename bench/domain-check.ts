import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openKeyFile } from '../backend/src/base/seal.ts';
import { importCatalog } from '../backend/src/business/core/catalog/import.ts';
import type { Catalog } from '../backend/src/business/core/catalog/schema/schema.ts';
import { syncInventories } from '../backend/src/business/products.ts';
import { Pool } from '../backend/src/db/pool.ts';
import { transaction } from '../backend/src/db/transaction.ts';
import { type BenchDatabase, startPostgres } from './databases.ts';
import type { DomainServerStart, DomainServerStarted } from './domain-server.ts';
import { fill, type Holder, tokenHolders } from './fill.ts';
import { keyFileOf } from './hostkeep.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import { machine } from './machine.ts';
import { type Measurement, medianOf } from './measurement.ts';
import { CallableProcess } from './process.ts';
import { aligned } from './report.ts';
import { requestFile } from './requests.ts';
import { httpSide, type Side } from './sides.ts';

const USAGE = `Usage: npm run bench:domains -- [--rounds 3] [--seconds 4] [--answer-ms 50]

Measures domain/check with 50 TLDs over 10 registries: how long an answer takes while every registry takes 50 ms, and
how many names a second are answered from memory, beside a bare null operation of the same program in the same run.`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    'answer-ms': { type: 'string', default: '50' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

const TLDS = 50;
const REGISTRIES = Array.from({ length: 10 }, (_, n) => `distant-${n}`);
const CONNECTIONS = 8;
/** Names that are asked for over and over: what fits into the memory of answers. */
const KNOWN_NAMES = 100;
/** More names than a run can ask for. */
const NEW_NAMES = 200_000;
const WARM_UP_SECONDS = 2;

const P99_LIMIT_MS = 80;
const NAMES_LIMIT = 5_000;
/** Names from memory for each bare request: a remembered name costs no more than a request for nothing. */
const RATIO_LIMIT = 1;

/** The demo's catalogue with 50 TLDs that are suggested, spread over the registries. */
function spread(catalog: Catalog): Catalog {
  const chosen = catalog.tlds.filter(({ sold, tld }) => sold && !tld.startsWith('xn--')).slice(0, TLDS);
  const tlds = chosen.map((tld, at) => ({ ...tld, registry: REGISTRIES[at % REGISTRIES.length] ?? '' }));
  return { ...catalog, tlds, suggested_tlds: tlds.map(({ tld }) => tld), default_tld: tlds[0]?.tld ?? '' };
}

async function sell(database: BenchDatabase): Promise<void> {
  const pool = new Pool({ url: database.url, size: 1, name: 'hostkeep-bench-import' });
  await transaction(pool, (tx) =>
    importCatalog(tx, spread(database.catalog), 'bench', Temporal.Now.instant(), syncInventories),
  );
  await pool.end();
}

function post(operation: string, { token }: Holder, body: string): string {
  return (
    `POST /api/v2/${operation} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n` +
    `Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

const [busyBefore = 0] = loadavg();
const postgres = await startPostgres();
const stops: (() => Promise<void>)[] = [];
try {
  const database = await postgres.create('domains');
  await fill(database, 1_000, openKeyFile(keyFileOf(postgres.directory)));
  await sell(database);
  const server = new CallableProcess<DomainServerStart, DomainServerStarted>('./domain-server.ts');
  const generator = new CallableProcess<LoadOrder, LoadResult>('./load.ts');
  stops.push(
    () => server.stop(),
    () => generator.stop(),
  );
  const { port } = await server.call({
    url: database.url,
    data: join(postgres.directory, 'data'),
    keyFile: keyFileOf(postgres.directory),
    registries: REGISTRIES,
    answerMs: Number(values['answer-ms']),
  });
  const holders = await tokenHolders(database);
  const holder = (n: number) => holders[n % holders.length] as Holder;
  const side = (name: string, requests: number, request: (n: number) => string): Side =>
    httpSide({
      generator,
      postgres,
      server: { port, pid: server.pid },
      requests: requestFile(
        postgres.directory,
        name,
        Array.from({ length: requests }, (_, n) => request(n)),
      ),
      connections: CONNECTIONS,
    });
  const check = (kind: string) => (n: number) =>
    post('domain/check', holder(n), JSON.stringify({ domain: `${kind}-${n}.com` }));
  const sides = {
    nothing: side('nothing', KNOWN_NAMES, (n) => post('bench/nothing', holder(n), '{}')),
    known: side('known', KNOWN_NAMES, check('known')),
    asked: side('asked', NEW_NAMES, check('new')),
  };
  const measured: Record<keyof typeof sides, Measurement[]> = { nothing: [], known: [], asked: [] };
  for (const kind of Object.keys(sides) as (keyof typeof sides)[]) await sides[kind](WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of Object.keys(sides) as (keyof typeof sides)[]) {
      measured[kind].push(await sides[kind](seconds));
    }
  }
  report(medianOf(measured.nothing), medianOf(measured.known), medianOf(measured.asked));
} finally {
  for (const stop of stops.reverse()) await stop();
  await postgres.stop();
}

function report(nothing: Measurement, known: Measurement, asked: Measurement): void {
  const names = known.perSecond * TLDS;
  const ratio = names / nothing.perSecond;
  const verdict = (met: boolean) =>
    nothing.failures + known.failures + asked.failures > 0 ? 'VOID' : met ? 'met' : 'MISSED';
  const row = (what: string, figures: Measurement, each: number, limit: string, result: string) => [
    what,
    Math.round(figures.perSecond).toLocaleString('en'),
    Math.round(figures.perSecond * each).toLocaleString('en'),
    figures.p50.toFixed(1),
    figures.p99.toFixed(1),
    figures.cpu === null ? '–' : figures.cpu.program.toFixed(0),
    limit,
    result,
  ];
  const met = `${verdict(names >= NAMES_LIMIT && ratio >= RATIO_LIMIT)}, ratio ${ratio.toFixed(2)}`;
  console.log(
    aligned([
      ['case', 'requests /s', 'names /s', 'p50 ms', 'p99 ms', 'program µs', 'limit', 'verdict'],
      row('null operation', nothing, 0, '–', 'shown'),
      row('every name remembered', known, TLDS, `≥ ${NAMES_LIMIT} names/s, ratio ≥ ${RATIO_LIMIT}`, met),
      row(
        'every name asked for',
        asked,
        TLDS,
        `p99 ≤ ${P99_LIMIT_MS} ms`,
        verdict(asked.p99 <= P99_LIMIT_MS),
      ),
    ]),
  );
  console.log(
    `${CONNECTIONS} connections, ${TLDS} TLDs, ${REGISTRIES.length} registries; medians of ${rounds} rounds of ${seconds} s, ` +
      `load average before ${busyBefore.toFixed(1)}. ${machine(postgres.version)}`,
  );
}
