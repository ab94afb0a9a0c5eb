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

test('a lone read leaves at once; what arrives meanwhile leaves together, up to the limit', async () => {
  const { sent, read } = controlled();
  const answers = [1, 2, 3, 4, 5, 6].map((key) => read.get(key));
  assert.deepEqual(
    sent.map((statement) => statement.keys),
    [[1], [2]],
  );
  sent[0]?.answer();
  assert.equal(await answers[0], 'value 1');
  await settled();
  assert.deepEqual(sent[2]?.keys, [3, 4, 5]);
  sent[1]?.answer();
  await settled();
  assert.deepEqual(sent[3]?.keys, [6]);
  sent[2]?.answer();
  sent[3]?.answer();
  assert.deepEqual(
    await Promise.all(answers),
    [1, 2, 3, 4, 5, 6].map((key) => `value ${key}`),
  );
});

test('a statement that fails rejects its own reads only, and its lane is free again', async () => {
  const { sent, read } = controlled();
  const first = read.get(1);
  const second = read.get(2);
  const third = read.get(3);
  sent[0]?.fail(new Error('lost'));
  await assert.rejects(first, /lost/);
  await settled();
  sent[1]?.answer();
  sent[2]?.answer();
  assert.equal(await second, 'value 2');
  assert.equal(await third, 'value 3');
});
