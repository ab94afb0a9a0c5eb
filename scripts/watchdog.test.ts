import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Watchdog } from './watchdog.ts';

test('it aborts for its reason after the time without a pat, and each pat begins the time anew', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const watchdog = new Watchdog(10_000, 'silent');
  t.mock.timers.tick(9_000);
  watchdog.pat();
  t.mock.timers.tick(9_000);
  assert.equal(watchdog.signal.aborted, false);
  watchdog.expect(3_000, 'does not end');
  t.mock.timers.tick(5_000);
  assert.ok(watchdog.signal.aborted);
  assert.equal(watchdog.complaint, 'does not end');
});

test('a machine that stood still for longer than the limit has not used it up', () => {
  const watchdog = new Watchdog(500, 'silent');
  // For this process it is the same as the machine being frozen: no timer ran.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
  return new Promise<void>((resolve) => {
    // Later than every timer that was due.
    setTimeout(() => {
      assert.equal(watchdog.signal.aborted, false);
      watchdog.stop();
      resolve();
    }, 0);
  });
});
