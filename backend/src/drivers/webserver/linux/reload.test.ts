import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reloader } from './reload.ts';

const turn = () => new Promise(setImmediate);

test('plans that are under way together share one reload, also with one that comes to need none', async () => {
  const reloader = new Reloader(async () => {});
  let finish = () => {};
  const slow = reloader.during(() => new Promise<void>((resolve) => (finish = resolve)));
  const quick = Promise.all([1, 2, 3].map(() => reloader.during(() => reloader.ask())));
  await turn();
  assert.equal(reloader.count, 0);
  finish();
  await Promise.all([slow, quick]);
  assert.equal(reloader.count, 1);
});

test('who asks while a reload is under way waits for the next: that one may have read what was before', async () => {
  const ends: (() => void)[] = [];
  const reloader = new Reloader(() => new Promise((resolve) => ends.push(resolve)));
  const first = reloader.ask();
  const second = reloader.ask();
  let done = false;
  void second.then(() => {
    done = true;
  });
  ends[0]?.();
  await first;
  await turn();
  assert.deepEqual([ends.length, done], [2, false]);
  ends[1]?.();
  await second;
});

test('a plan that takes long holds others up for no longer than the limit', async () => {
  const reloader = new Reloader(async () => {}, 1);
  let finish = () => {};
  const slow = reloader.during(() => new Promise<void>((resolve) => (finish = resolve)));
  await reloader.during(() => reloader.ask());
  assert.equal(reloader.count, 1);
  finish();
  await slow;
});

test('a reload that fails is an error for those who asked for it, and not for the next', async () => {
  let fails = true;
  const reloader = new Reloader(async () => {
    if (fails) throw new Error('the configuration is wrong');
  });
  await assert.rejects(reloader.ask(), /wrong/);
  fails = false;
  await reloader.ask();
});
