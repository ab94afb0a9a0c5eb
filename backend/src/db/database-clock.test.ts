import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseClock } from './database-clock.ts';
import type { Executor } from './pool.ts';

const T0 = 1_800_000_000_000;

/** A database whose clock, and a machine whose monotonic clock, are set by hand. */
function world() {
  const state = { database: T0, monotonic: 5_000, lagMs: 0 };
  const pass = (ms: number) => {
    state.database += ms;
    state.monotonic += ms;
  };
  const db = {
    run: async () => {
      pass(state.lagMs / 2);
      const ms = BigInt(state.database);
      pass(state.lagMs / 2);
      return [{ ms }];
    },
  } as unknown as Executor;
  const said: string[] = [];
  const say = (_about: unknown, text: string) => void said.push(text);
  const clock = new DatabaseClock(db, { error: say, warn: say } as never, () => state.monotonic);
  return { state, clock, said };
}

test('time is what the database showed and what has passed since, whatever the clock of this machine says', async (t) => {
  const { state, clock, said } = world();
  t.mock.timers.enable({ apis: ['Date', 'setInterval'], now: T0 });
  await clock.start();
  assert.deepEqual(said, []);
  t.mock.timers.setTime(T0 + 7_200_000);
  state.monotonic += 1_500;
  assert.equal(clock.now().epochMilliseconds, T0 + 1_500);
  state.database += 1_500;
  await clock.measure();
  assert.match(said.join(), /clock of this machine differs/);
  assert.equal(clock.now().epochMilliseconds, T0 + 1_500);
  clock.stop();
});

test('a slow answer is counted half, and a later measurement moves the time back by no step', async () => {
  const { state, clock } = world();
  state.lagMs = 400;
  await clock.measure();
  const shown = clock.now().epochMilliseconds;
  assert.equal(shown, state.database);
  state.database -= 100;
  state.lagMs = 0;
  await clock.measure();
  assert.equal(clock.now().epochMilliseconds, shown, 'it waits rather than going back');
  state.monotonic += 300;
  assert.equal(clock.now().epochMilliseconds, shown + 200);
});

test('another server’s clock is followed, and the log says so', async () => {
  const { state, clock, said } = world();
  await clock.measure();
  state.database = T0 - 60_000;
  await clock.measure();
  assert.match(said.join(), /the database's clock jumped/);
  assert.equal(clock.now().epochMilliseconds, T0 - 60_000);
});

test('a clock that was not started tells no time', () => {
  assert.throws(() => world().clock.now(), /not been started/);
});
