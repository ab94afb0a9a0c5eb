import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Overloaded, Semaphore } from './semaphore.ts';

test('no more run at once than there are slots, and all get their turn in order', async () => {
  const semaphore = new Semaphore(2, 10);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3, 4].map((index) =>
    semaphore.run(async () => {
      begun.push(index);
      await new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  for (let ended = 0; ended < all.length; ended += 1) {
    assert.deepEqual(
      begun,
      [0, 1, 2, 3, 4].slice(0, ended + 2),
      `${ended} have ended, so no more than ${ended + 2} have begun`,
    );
    ends[ended]?.();
    await all[ended];
    await Promise.resolve();
  }
});

test('what finds the queue full is refused at once, and a failure gives its slot back', async () => {
  const semaphore = new Semaphore(1, 1);
  let end = () => {};
  const first = semaphore.run(() => new Promise<void>((resolve) => (end = resolve)));
  const second = semaphore.run(() => Promise.reject(new Error('its own')));
  await assert.rejects(
    semaphore.run(async () => {}),
    Overloaded,
  );
  end();
  await first;
  await assert.rejects(second, /its own/);
  assert.equal(await semaphore.run(async () => 'free again'), 'free again');
});
