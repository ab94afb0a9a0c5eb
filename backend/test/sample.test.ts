import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { sampleOf } from './sample.ts';

const SAMPLE = new URL('./sample.ts', import.meta.url).href;
const POINTS = [
  ...[
    'before get_job (1)',
    'before lock (1)',
    'before ensureMachine (1)',
    'before read (1)',
    'before read (2)',
  ],
  ...[
    'before read (3)',
    'before write (1)',
    'before COMMIT (1)',
    'before complete_job (1)',
    'before read (4)',
  ],
  ...['before read (5)', 'after read (5)'],
];
const ALWAYS = [
  ...['before get_job (1)', 'before ensureMachine (1)', 'before read (1)', 'before COMMIT (1)'],
  ...['before complete_job (1)', 'after read (5)'],
];

/** What a process with this environment kills at. */
function killedAt(further: number, env: Readonly<Record<string, string>>): string[] {
  const program = `const { killPoints } = await import(${JSON.stringify(SAMPLE)});
    const points = killPoints(${JSON.stringify(POINTS)}, ${further});
    console.log(JSON.stringify(points));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    env: { HOSTKEEP_TEST_POINTS: '', ...env },
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? stderr);
}

test('a sample of kill points has the first, the last, and those around each COMMIT and command', () => {
  assert.deepEqual(killedAt(0, { HOSTKEEP_TEST_SEED: 'a' }), ALWAYS);
});

test('the seed decides what else is in it, in the order of the points', () => {
  const seeds = Array.from({ length: 40 }, (_, index) => `seed ${index}`);
  const others = POINTS.filter((point) => !ALWAYS.includes(point));
  const samples = seeds.map((seed) => sampleOf(others, 2, seed));
  for (const sample of samples) {
    assert.equal(sample.length, 2);
    assert.deepEqual(
      sample,
      others.filter((point) => sample.includes(point)),
    );
  }
  // So many seeds leave none out.
  assert.deepEqual(
    others.filter((point) => samples.flat().includes(point)),
    others,
  );
  assert.deepEqual(
    seeds.map((seed) => sampleOf(others, 2, seed)),
    samples,
  );
  const [once, again] = [1, 2].map(() => killedAt(2, { HOSTKEEP_TEST_SEED: 'b' }));
  assert.equal(once?.length, ALWAYS.length + 2);
  assert.deepEqual(once, again);
});

test('a nightly run kills at all points', () => {
  assert.deepEqual(killedAt(0, { HOSTKEEP_TEST_POINTS: 'all' }), POINTS);
});
