import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runChild } from './child.ts';

test('what a program printed is whole when it has ended, however many end at once', async () => {
  for (let round = 0; round < 20; round += 1) {
    const finished = await Promise.all(Array.from({ length: 20 }, () => runChild('host', ['seq', '2000'])));
    for (const { code, stdout } of finished) assert.deepEqual([code, stdout.length], [0, 8893]);
  }
});

test('a daemon that a program leaves behind, and that holds its errors open, is not waited for', async () => {
  const { code, stdout } = await runChild('host', ['sh', '-c', 'sleep 20 </dev/null >/dev/null & echo $!']);
  assert.equal(code, 0);
  process.kill(Number(stdout.trim()));
});
