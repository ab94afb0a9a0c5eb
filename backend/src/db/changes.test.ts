import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../test/fixture.ts';
import { bulkUpdate, Changes } from './changes.ts';
import { transaction } from './transaction.ts';

const { pool, customer } = await openFixture();

const balance = bulkUpdate<{ id: string; balance: bigint }>(
  'accounts',
  'test_balance',
  { id: 'uuid', balance: 'bigint' },
  'balance = n.balance',
);
const floor = bulkUpdate<{ id: string; floor: bigint }>(
  'accounts',
  'test_floor',
  { id: 'uuid', floor: 'bigint' },
  'floor = n.floor',
);

test('two kinds of write to one row are refused, since one would be lost; to different rows they are not', async () => {
  const [one, other] = [await customer(0n), await customer(0n)];
  const write = (first: string, second: string) =>
    transaction(pool, async (tx) => {
      const changes = new Changes();
      changes.add(balance, { id: first, balance: 7n });
      changes.add(floor, { id: second, floor: -7n });
      await changes.send(tx);
    });
  await assert.rejects(write(one.accountId, one.accountId), /write the same row/);
  await write(one.accountId, other.accountId);
  const { rows } = await pool.pg.query('SELECT balance, floor FROM accounts ORDER BY number');
  assert.deepEqual(rows, [
    { balance: 7n, floor: 0n },
    { balance: 0n, floor: -7n },
  ]);
});
