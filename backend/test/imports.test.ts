import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { type Import, importsOf, sources } from './source.ts';

type Layer =
  | 'base'
  | 'errors'
  | 'db'
  | 'ports'
  | 'queue'
  | 'unit of work'
  | 'business'
  | 'definition'
  | 'api'
  | 'operations'
  | 'wire'
  | 'worker'
  | 'drivers'
  | 'root';

/** base ← db ← queue ← unit of work ← business ← api, operations ← wire, worker ← root; ports belong to who asks them. */
const MAY_IMPORT: Readonly<Record<Layer, readonly Layer[]>> = {
  base: ['base'],
  errors: ['errors'],
  db: ['base', 'db'],
  ports: ['base', 'ports'],
  queue: ['base', 'db', 'queue'],
  'unit of work': ['base', 'db', 'queue', 'unit of work'],
  business: ['base', 'errors', 'db', 'ports', 'queue', 'unit of work', 'business'],
  definition: [],
  api: ['base', 'errors', 'unit of work', 'business', 'api'],
  operations: ['base', 'db', 'ports', 'unit of work', 'business', 'definition', 'api'],
  wire: ['base', 'errors', 'db', 'queue', 'unit of work', 'business', 'wire'],
  worker: ['base', 'db', 'ports', 'queue', 'unit of work', 'business', 'worker'],
  drivers: ['base', 'db', 'ports', 'drivers'],
  root: [
    'base',
    'errors',
    'db',
    'ports',
    'queue',
    'unit of work',
    'business',
    'api',
    'definition',
    'operations',
    'wire',
    'worker',
    'drivers',
    'root',
  ],
};

/** Imports of types that go against the layers. They are gone when the program runs, and each has its reason. */
const TYPES: readonly (readonly [from: Layer | string, to: Layer | string, reason: string])[] = [
  ['definition', 'base', 'the definition names what operations are given'],
  ['definition', 'errors', 'only declared error codes compile'],
  ['definition', 'db', 'a handle gets the transaction'],
  ['definition', 'ports', 'an ask gets the ports'],
  ['definition', 'unit of work', 'a write is given the unit of work'],
  ['definition', 'business', 'a context holds the catalogue'],
  ['unit of work', 'definition', 'a resource is found for a caller'],
  [
    'business',
    'definition',
    'a noun says how it is loaded (Subject), for whom (Caller), in which language (Locale)',
  ],
  ['api', 'definition', 'texts are in a Locale'],
  ['api', 'errors', 'schemas and their mappers turn outcomes into refusals of the operation that calls them'],
  ['operations', 'errors', 'texts and details of a refusal'],
  ['wire', 'definition', 'the wire runs operations, whichever they are'],
  ['wire', 'ports', 'handed to operations'],
  ['work/job.ts', 'ports', 'the definition of a job names the ports it is given'],
  ['work/job.ts', 'unit of work', 'and the unit of work'],
  ['work/job.ts', 'business', 'and the catalogue'],
];

const WORKER = /^work\/(worker|run-job|expected-failure|backend-slots|heartbeat|schedule|queue-pool)\.ts$/;

/** What one group's operations share. */
const SCHEMA = /^operations\/[^/]+\/(.+\.schema|ordering\/.+)\.ts$/;

function layerOf(file: string): Layer {
  if (file.startsWith('base/')) return 'base';
  if (['errors.ts', 'problem-text.ts'].includes(file)) return 'errors';
  if (file.startsWith('db/')) return 'db';
  if (/^drivers\/([^/]+|[^/]+\/(port|contract))\.ts$/.test(file)) return 'ports';
  if (file.startsWith('drivers/')) return 'drivers';
  if (WORKER.test(file)) return 'worker';
  if (file.startsWith('work/')) return 'queue';
  if (file.startsWith('unit-of-work/')) return 'unit of work';
  if (file.startsWith('business/')) return 'business';
  if (file === 'operation.ts') return 'definition';
  if (file.startsWith('api/') || SCHEMA.test(file)) return 'api';
  if (file.startsWith('operations/')) return 'operations';
  if (file.startsWith('wire/')) return 'wire';
  return 'root';
}

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [importer, imported] = [layerOf(from), layerOf(to)];
  if (MAY_IMPORT[importer].includes(imported)) return true;
  return typeOnly && TYPES.some(([a, b]) => (a === importer || a === from) && (b === imported || b === to));
}

const programs = sources('ts');
const imports = programs.flatMap(importsOf);

test('what is read here are the imports of the whole program', () => {
  assert.ok(imports.length > 300, `${imports.length} imports`);
  const files = new Set(programs.map(({ file }) => file));
  const unknown = imports
    .filter(({ to }) => !files.has(to) && !to.endsWith('.generated.json'))
    .map(({ from, to }) => `${from} imports ${to}`);
  assert.deepEqual(unknown, []);
});

test('every import goes down the layers: base, db, queue, unit of work, business, api and operations, wire and worker, root', () => {
  const wrong = imports
    .filter((edge) => !isAllowed(edge))
    .map(({ from, to, typeOnly }) => `${from} imports ${typeOnly ? 'types of ' : ''}${to}`);
  assert.deepEqual(wrong, []);
});

test('drivers are named in one place, which opens them', () => {
  const importers = imports.filter(
    ({ from, to }) => layerOf(to) === 'drivers' && layerOf(from) !== 'drivers',
  );
  assert.deepEqual([...new Set(importers.map(({ from }) => from))], ['ports.ts']);
});

test('a driver imports no other port and none of its drivers', () => {
  const portOf = (file: string) => /^drivers\/([^/]+)\//.exec(file)?.[1];
  // No port, but how drivers run commands on machines.
  const isShared = (file: string) => portOf(file) === 'host';
  const wrong = imports
    .filter(
      ({ from, to }) =>
        portOf(from) !== undefined &&
        portOf(to) !== undefined &&
        portOf(from) !== portOf(to) &&
        !isShared(to),
    )
    .map(({ from, to }) => `${from} imports ${to}`);
  assert.deepEqual(wrong, []);
});

test('refusals are made by the wire alone: business returns outcomes, operations say ctx.refusal', () => {
  const makers = imports
    .filter(({ names, typeOnly }) => names.includes('Refusal') && !typeOnly)
    .map(({ from }) => from)
    .filter((file) => layerOf(file) !== 'wire' && !valueOnlyForTypes(file));
  assert.deepEqual(makers, []);
});

/** `import { ERRORS, type Refusal }` imports the type alone. */
function valueOnlyForTypes(file: string): boolean {
  const text = programs.find((source) => source.file === file)?.text ?? '';
  return /\btype Refusal\b/.test(text) && !/new Refusal\(/.test(text);
}

test('no file needs itself, over whatever other files, when the program runs', () => {
  const needs = Map.groupBy(
    imports.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const { to } of needs.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const { file } of programs) visit(file, []);
  assert.deepEqual(circles, []);
});

test('no room of business needs itself, over whatever other rooms', () => {
  // Subfolders are shelves of one noun; only these three hold nouns of their own.
  const freeCapacityOf = (file: string) =>
    /^business\/(?:(?:core|selling|notifications)\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? null;
  const needs = new Map<string, Map<string, string[]>>();
  for (const { from, to } of imports) {
    const [importer, imported] = [freeCapacityOf(from), freeCapacityOf(to)];
    if (importer === null || imported === null || importer === imported) continue;
    const of = needs.get(importer) ?? new Map<string, string[]>();
    of.set(imported, [...(of.get(imported) ?? []), `${from} imports ${to}`]);
    needs.set(importer, of);
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(needs.get(from)?.keys() ?? [])].some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  const circles = [...needs].flatMap(([from, of]) =>
    [...of].flatMap(([to, edges]) => (reaches(to, from) ? edges : [])),
  );
  assert.deepEqual(circles, []);
});

test('operations and jobs are default exports; everything else is imported by its name', () => {
  const isJob = (file: string) => file.endsWith('.job.ts');
  const wrong = programs
    .filter(
      ({ file, text }) => /^export default\b/m.test(text) !== (layerOf(file) === 'operations' || isJob(file)),
    )
    .map(({ file }) => file);
  assert.deepEqual(wrong, []);
});

test('no file stands for others: each name is imported from where it is', () => {
  const wrong = programs
    .filter(
      ({ file, text }) =>
        basename(file) === 'index.ts' || /^export\s+(type\s+)?(\*|\{[^}]*\}\s*from)/m.test(text),
    )
    .map(({ file }) => file);
  assert.deepEqual(wrong, []);
});

test('file names are words in lower case that say what is inside', () => {
  const vague = /^(utils?|helpers?|managers?|data|common|misc|shared|lib|index|types|constants)$/;
  const wrong = programs
    .map(({ file }) => file)
    .filter((file) =>
      file.split('/').some((part) => {
        const name = part.replace(/(\.generated|\.job|\.schema)?\.ts$/, '');
        return !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.split('-').some((word) => vague.test(word));
      }),
    );
  assert.deepEqual(wrong, []);
});

// Which layers work by ctx.now, so that a clock that is set for a test or the simulator rules everything.
const TIMED: readonly Layer[] = [
  'unit of work',
  'business',
  'definition',
  'api',
  'operations',
  'queue',
  'worker',
  'wire',
];

/** Who may read the machine's or the database's time all the same. */
const OWN_TIME: Readonly<Record<string, string>> = {
  'work/heartbeat.ts': 'the silence of one machine is measured by another: the database is the clock of both',
  'work/schedule.ts': 'a minute that a wrong clock wrote is told by the database, the clock of all workers',
  'work/queue-state.ts': 'it reads what heartbeats and the queue wrote by the database as their clock',
  'db/migrations/0070_young_partitions.sql':
    'who holds the application role chooses the time that it gives: only the database knows how old rows are',
  'work/operating-state.ts': 'it reads what heartbeats and the queue wrote by the database as their clock',
};

test('SQL knows no time but the one it is given', () => {
  const time =
    /(?<![.\w])now\s*\(|\bcurrent_(date|time|timestamp)\b|\blocaltime(stamp)?\b|\b(clock|statement|transaction)_timestamp\b|'now'\s*::|\btimeofday\b/i;
  const timed = programs.filter(({ file }) => TIMED.includes(layerOf(file)) && !(file in OWN_TIME));
  const statements = sources('sql').filter(({ file }) => !(file in OWN_TIME));
  const wrong = [...timed, ...statements].flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter((line) => time.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  assert.deepEqual(wrong, []);
});

test('nobody but the clock asks the machine for the time', () => {
  const wrong = programs
    .filter(({ file }) => TIMED.includes(layerOf(file)) && !(file in OWN_TIME))
    .filter(({ text }) => /\bDate\.now\(|\bnew Date\(\)|\bTemporal\.Now\b|\bDate\(\)/.test(text))
    .map(({ file }) => file);
  assert.deepEqual(wrong, []);
});

test('no column takes its time from the server', () => {
  const wrong = sources('sql').flatMap(({ file, text }) =>
    [...text.matchAll(/\b(timestamptz|timestamp|date|time)\b[^,;\n]*\bDEFAULT\b(?! '\d{4}-)[^,;\n]*/gi)].map(
      ([line]) => `${file}: ${line}`,
    ),
  );
  assert.deepEqual(wrong, []);
});

test('every exception is still needed', () => {
  const unused = TYPES.filter(
    ([a, b]) =>
      !imports.some(
        ({ from, to, typeOnly }) =>
          typeOnly && [layerOf(from), from].includes(a) && [layerOf(to), to].includes(b),
      ),
  );
  assert.deepEqual(unused, []);
});
