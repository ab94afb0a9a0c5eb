import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../test/database.ts';
import { APPLICATION_ROLE } from '../db/migrate.ts';
import { Pool } from '../db/pool.ts';
import { transaction } from '../db/transaction.ts';
import { enqueue } from './queue.ts';

const database = await createTestDatabase();
const pool = new Pool({ url: database.url, size: 2, name: 'queue', role: APPLICATION_ROLE });
const worker = new pg.Client({ connectionString: database.url });
await worker.connect();
after(async () => {
  await worker.end();
  await pool.end();
  await database.drop();
});

const job = (key: string) => ({ name: 'job.test', payload: {}, key });
const jobs = async () =>
  (
    await worker.query<{ key: string | null; running: boolean }>(
      'SELECT key, locked_at IS NOT NULL AS running FROM graphile_worker._private_jobs ORDER BY key NULLS FIRST',
    )
  ).rows;

test('a job that a worker takes while it is enqueued again is run once more', async () => {
  await transaction(pool, (tx) => enqueue(tx, [job('one'), job('other')]));
  await worker.query('BEGIN');
  await worker.query(
    "UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'w', attempts = 1 WHERE key = 'one'",
  );
  const again = transaction(pool, (tx) => enqueue(tx, [job('other'), job('one'), job('third')]));
  await lockAwaited();
  await worker.query('COMMIT');
  await again;
  assert.deepEqual(await jobs(), [
    { key: null, running: true },
    { key: 'one', running: false },
    { key: 'other', running: false },
    { key: 'third', running: false },
  ]);
});

/** Until the transaction that enqueues waits for the worker's. */
async function lockAwaited(): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const { rows } = await worker.query(
      'SELECT FROM pg_locks WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid)) AND NOT granted',
    );
    if (rows.length > 0) return;
    assert.ok(performance.now() < deadline, 'nobody waits');
  }
}
