import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openKeyFile } from '../backend/src/base/seal.ts';
import { checkBooks } from './books.ts';
import { type Bench, casesOf, type Installed, needsLarge } from './cases.ts';
import { startPostgres } from './databases.ts';
import type { DirectOrder, DirectResult } from './direct-orders.ts';
import { fill } from './fill.ts';
import { type Hostkeep, keyFileOf, startHostkeep } from './hostkeep.ts';
import { judge, type Result } from './judge.ts';
import { fillLedger, LINES } from './ledger-fill.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import { machine } from './machine.ts';
import type { Measurement } from './measurement.ts';
import { medianOf } from './measurement.ts';
import { CallableProcess } from './process.ts';
import { table, write } from './report.ts';

const USAGE = `Usage: npm run bench -- [filter] [--rounds 3] [--seconds 4] [--licenses 1000000]
                          [--program backend/bin/hostkeep.js] [--profile directory]

Measures Hostkeep beside its baselines, in turns, and prints where a limit is missed. With a filter only the cases
whose names contain it run. A whole run writes docs/reference/performance.md.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    licenses: { type: 'string', default: '1000000' },
    program: {
      type: 'string',
      default: fileURLToPath(new URL('../backend/bin/hostkeep.js', import.meta.url)),
    },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const licenses = Number(values.licenses);
const [filter] = positionals;
const MEMORY_LIMIT = 250;

const startedAt = performance.now();
const [busyBefore = 0] = loadavg();
const tell = (line: string) =>
  console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`);

const postgres = await startPostgres();
const stops: (() => Promise<void>)[] = [];
try {
  const sealer = openKeyFile(keyFileOf(postgres.directory));
  const small = await postgres.create('small');
  const large = await postgres.create('large');
  tell('filling 10,000 accounts, 1,000 tokens, 1,000 licenses');
  await fill(small, 1_000, sealer);
  const many = needsLarge(filter) ? licenses : 1_000;
  tell(`filling ${many.toLocaleString('en')} licenses`);
  await fill(large, many, sealer);

  const options = {
    program: values.program,
    directory: postgres.directory,
    nodeOptions: values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`],
  };
  const start = async (database: typeof small): Promise<Hostkeep> => {
    const hostkeep = await startHostkeep(database, options);
    stops.push(() => hostkeep.stop());
    return hostkeep;
  };
  const generator = new CallableProcess<LoadOrder, LoadResult>('./load.ts');
  const clients = new CallableProcess<DirectOrder, DirectResult>('./direct-orders.ts');
  stops.push(() => generator.stop());
  stops.push(() => clients.stop());
  const openLedger = async (): Promise<Installed> => {
    const database = await postgres.create('ledger');
    tell(`filling ${LINES.toLocaleString('en')} ledger lines`);
    await fillLedger(database);
    tell('filled');
    return { database, hostkeep: await start(database) };
  };
  let ledger: Promise<Installed> | undefined;
  const bench: Bench = {
    postgres,
    small: { database: small, hostkeep: await start(small) },
    large: { database: large, hostkeep: await start(large) },
    ledger: () => {
      ledger ??= openLedger();
      return ledger;
    },
    generator,
    clients,
    tell,
    onStop: (stop) => stops.push(stop),
  };
  const results: Result[] = [];
  let memory = 0;
  for (const item of casesOf(bench, filter)) {
    const sides = await item.prepare();
    const measured: { ours: Measurement[]; theirs: Measurement[] } = { ours: [], theirs: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const side of ['ours', 'theirs'] as const) {
        measured[side].push(await sides[side](seconds));
        if (side === 'ours') {
          memory = Math.max(
            memory,
            await bench.small.hostkeep.residentMemory(),
            await bench.large.hostkeep.residentMemory(),
          );
        }
      }
    }
    const result = judge(item, medianOf(measured.ours), medianOf(measured.theirs));
    results.push(result);
    tell(table([result]).split('\n').at(-1) ?? '');
  }
  const books = await checkBooks(small.url);
  const report = {
    date: new Date().toISOString().slice(0, 10),
    machine: machine(postgres.version),
    busyBefore,
    rounds,
    seconds,
    licenses,
    memory,
    memoryLimit: MEMORY_LIMIT,
    books,
    results,
  };
  console.log(write(report, 'terminal'));
  if (filter === undefined) {
    const file = new URL('../docs/reference/performance.md', import.meta.url);
    writeFileSync(file, write(report, 'markdown'));
    tell(`written to ${fileURLToPath(file)}`);
  }
} finally {
  for (const stop of stops.reverse()) await stop();
  await postgres.stop();
}
