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
  | 'business'
  | 'definition'
  | 'shapes'
  | 'operations'
  | 'wire'
  | 'worker'
  | 'drivers'
  | 'root';

/** base ← db ← queue ← business ← operations, shapes ← wire, worker ← root; ports belong to who asks them. */
const MAY_IMPORT: Readonly<Record<Layer, readonly Layer[]>> = {
  base: ['base'],
  errors: [],
  db: ['base', 'db'],
  ports: ['base', 'ports'],
  queue: ['base', 'db', 'queue'],
  business: ['base', 'errors', 'db', 'ports', 'queue', 'business'],
  definition: [],
  shapes: ['base', 'errors', 'business', 'shapes'],
  operations: ['base', 'db', 'ports', 'business', 'definition', 'shapes'],
  wire: ['base', 'errors', 'db', 'queue', 'business', 'wire'],
  worker: ['base', 'db', 'ports', 'queue', 'business', 'worker'],
  drivers: ['base', 'db', 'ports', 'drivers'],
  root: [
    'base',
    'errors',
    'db',
    'ports',
    'queue',
    'business',
    'shapes',
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
  ['definition', 'business', 'a context holds the frame and the catalogue'],
  [
    'business',
    'definition',
    'a noun says how it is loaded (Subject), for whom (Caller), in which language (Locale)',
  ],
  ['shapes', 'definition', 'texts are in a Locale'],
  ['shapes', 'errors', 'shapes turn outcomes into refusals of the operation that calls them'],
  ['operations', 'errors', 'texts and details of a refusal'],
  ['wire', 'definition', 'the wire runs operations, whichever they are'],
  ['wire', 'ports', 'handed to operations'],
  ['work/job.ts', 'ports', 'the definition of a job names the ports it is given'],
  ['work/job.ts', 'business', 'and the frame and the catalogue'],
];

const WORKER = /^work\/(worker|run-job|expected-failure|backend-slots|heartbeat|schedule|queue-pool)\.ts$/;

function layerOf(file: string): Layer {
  if (file.startsWith('base/')) return 'base';
  if (file === 'errors.ts') return 'errors';
  if (file.startsWith('db/')) return 'db';
  if (/^drivers\/([^/]+|[^/]+\/(port|contract))\.ts$/.test(file)) return 'ports';
  if (file.startsWith('drivers/')) return 'drivers';
  if (WORKER.test(file)) return 'worker';
  if (file.startsWith('work/')) return 'queue';
  if (file.startsWith('business/')) return 'business';
  if (file === 'operation.ts') return 'definition';
  if (file.startsWith('shapes/')) return 'shapes';
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
  const unknown = imports.filter(({ to }) => !files.has(to)).map(({ from, to }) => `${from} imports ${to}`);
  assert.deepEqual(unknown, []);
});

test('every import goes down the layers: base, db, queue, business, operations and shapes, wire and worker, root', () => {
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

test('operations and jobs are default exports; everything else is imported by its name', () => {
  const isJob = (file: string) => /^business\/[^/]+\/jobs\//.test(file);
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
        const name = part.replace(/(\.generated)?\.ts$/, '');
        return !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.split('-').some((word) => vague.test(word));
      }),
    );
  assert.deepEqual(wrong, []);
});

// Which layers work by ctx.now, so that a clock that is set for a test or the simulator rules everything.
const TIMED: readonly Layer[] = ['business', 'definition', 'shapes', 'operations', 'queue', 'worker', 'wire'];

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
