import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTicker } from './ticker.ts';

test('ticks go on while a run is slow, until so many are under way; stopping waits for them', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const runs: (() => void)[] = [];
  const run = () => new Promise<void>((resolve) => void runs.push(resolve));
  const ticker = startTicker({ everyMs: 1_000, atOnce: 2, run });
  t.mock.timers.tick(3_000);
  assert.equal(runs.length, 2);
  runs[0]?.();
  await new Promise(setImmediate);
  t.mock.timers.tick(1_000);
  assert.equal(runs.length, 3);
  let stopped = false;
  const stopping = ticker.stop().then(() => {
    stopped = true;
  });
  t.mock.timers.tick(5_000);
  await new Promise(setImmediate);
  assert.deepEqual([runs.length, stopped], [3, false]);
  runs[1]?.();
  runs[2]?.();
  await stopping;
});
