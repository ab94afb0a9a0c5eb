import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoalescedRead } from './coalesce.ts';

/** Statements that answer when told to. */
function controlled() {
  const sent: { keys: readonly number[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const read = new CoalescedRead<number, string>(
    (keys) =>
      new Promise((resolve, reject) => {
        sent.push({ keys, answer: () => resolve(keys.map((key) => `value ${key}`)), fail: reject });
      }),
    { lanes: 2, limit: 3 },
  );
  return { sent, read };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('reads of one turn leave together, up to the limit, on the lanes that are free', async () => {
  const { sent, read } = controlled();
  const answers = [1, 2, 3, 4, 5, 6, 7].map((key) => read.get(key));
  await settled();
  await settled();
  assert.deepEqual(
    sent.map((statement) => statement.keys),
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
  );
  sent[0]?.answer();
  assert.equal(await answers[0], 'value 1');
  await settled();
  await settled();
  assert.deepEqual(sent[2]?.keys, [7]);
  sent[1]?.answer();
  sent[2]?.answer();
  assert.deepEqual(
    await Promise.all(answers),
    [1, 2, 3, 4, 5, 6, 7].map((key) => `value ${key}`),
  );
});

test('a read that arrives after a statement was sent waits for the next', async () => {
  const { sent, read } = controlled();
  const first = read.get(1);
  await settled();
  const second = read.get(1);
  await settled();
  assert.deepEqual(
    sent.map((statement) => statement.keys),
    [[1], [1]],
  );
  for (const statement of sent) statement.answer();
  assert.deepEqual(await Promise.all([first, second]), ['value 1', 'value 1']);
});

test('a statement that fails rejects its own reads only, and its lane is free again', async () => {
  const { sent, read } = controlled();
  const first = read.get(1);
  await settled();
  const second = read.get(2);
  await settled();
  const third = read.get(3);
  sent[0]?.fail(new Error('lost'));
  await assert.rejects(first, /lost/);
  await settled();
  await settled();
  sent[1]?.answer();
  sent[2]?.answer();
  assert.equal(await second, 'value 2');
  assert.equal(await third, 'value 3');
});
