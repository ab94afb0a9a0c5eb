import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

/** In a process that is no test's: Node runs no tests inside of tests. */
function repeat(...words: string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const program = join(import.meta.dirname, 'test-repeat.ts');
  const { status, stdout } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', env });
  return { status, lines: stdout.trimEnd().split('\n') };
}

test('each run is a line with how long it took, and those that were green are not done again', () => {
  const first = repeat('1', '--new', 'base/semaphore.test');
  assert.equal(first.status, 0, first.lines.join('\n'));
  assert.match(first.lines[0] ?? '', /^green +1 {2}\d{4}-\S+ {2}\d+\.\d min {2}2 passed, 0 failed$/);
  assert.match(first.lines[1] ?? '', /^1 of 1 runs green, 1 wanted/);
  const again = repeat('1', 'base/semaphore.test');
  assert.deepEqual([again.status, again.lines[0]], [0, first.lines[0]]);
});

test('a run that failed says what failed in it, and the end is not a success', () => {
  const { status, lines } = repeat('2', '--new', 'there-is-no-such-path');
  assert.equal(status, 1);
  assert.deepEqual(
    lines.map((line) => line.replace(/ {2}\d{4}-.* min/, '')),
    [
      'FAILED   1  0 passed, 1 failed',
      '            no test file has a path like that',
      'FAILED   2  0 passed, 1 failed',
      '            no test file has a path like that',
      lines.at(-1),
    ],
  );
  assert.match(lines.at(-1) ?? '', /^0 of 2 runs green, 2 wanted/);
});
