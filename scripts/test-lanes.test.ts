import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Load, runInLanes } from './test-lanes.ts';

interface Named extends Load {
  readonly name: string;
}

const load = (name: string, seconds: number, heavy = false): Named => ({ name, seconds, heavy });

/** Runs them, and ends each when the test says so. */
function begin(loads: readonly Named[], lanes: number) {
  const underWay = new Map<string, () => void>();
  const begun: string[] = [];
  let stopped = false;
  const all = runInLanes(
    loads,
    lanes,
    ({ name }) => {
      begun.push(name);
      return new Promise((resolve) => underWay.set(name, resolve));
    },
    () => stopped,
  );
  const end = async (name: string) => {
    underWay.get(name)?.();
    underWay.delete(name);
    await new Promise(setImmediate);
  };
  return { all, begun, underWay, end, stop: () => (stopped = true) };
}

test('the longest begin first, and each lane goes on as soon as it is free', async () => {
  const { all, begun, end } = begin([load('b', 3), load('d', 1), load('a', 9), load('c', 2)], 2);
  assert.deepEqual(begun, ['a', 'b']);
  await end('b');
  await end('c');
  await end('d');
  assert.deepEqual(begun, ['a', 'b', 'c', 'd']);
  await end('a');
  await all;
});

test('one lane is left to others than heavy ones, while there are others', async () => {
  const loads = [load('h1', 9, true), load('h2', 8, true), load('h3', 7, true), load('l1', 2), load('l2', 1)];
  const { all, begun, underWay, end } = begin(loads, 2);
  assert.deepEqual(begun, ['h1', 'l1']);
  await end('l1');
  assert.deepEqual(begun.at(-1), 'l2');
  await end('l2');
  assert.deepEqual(begun.at(-1), 'h2', 'nothing else is left: the lane is not idle');
  await end('h1');
  assert.deepEqual([...underWay.keys()], ['h2', 'h3']);
  await end('h2');
  await end('h3');
  await all;
});

test('nothing begins any more once it was stopped', async () => {
  const { all, begun, end, stop } = begin([load('a', 2), load('b', 1)], 1);
  stop();
  await end('a');
  await all;
  assert.deepEqual(begun, ['a']);
});
