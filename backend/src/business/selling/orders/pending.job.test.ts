import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openServers } from '../../../../test/servers.ts';
import pending from './pending.job.ts';

const site = await openServers();
const { queue } = site;

interface QueuedRow {
  readonly id: string;
  readonly key: string | null;
  readonly attempts: number;
  readonly payload: unknown;
}

async function queued(): Promise<QueuedRow[]> {
  const { rows } = await queue.query<QueuedRow>(
    'SELECT id, key, attempts, payload FROM graphile_worker._private_jobs ORDER BY id',
  );
  return rows;
}

async function ordered() {
  const who = await site.customer(10_000n);
  const { order_id, server_uuid } = await site.order(who);
  return { order_id, server_uuid, key: `server.provision:${order_id}` };
}

async function clear(): Promise<void> {
  await queue.query('DELETE FROM graphile_worker._private_jobs');
}

test('a pending order whose job waits is left alone', async () => {
  const { key } = await ordered();
  const before = await queued();
  assert.deepEqual(
    before.map((job) => job.key),
    [key],
  );
  await site.run(pending);
  assert.deepEqual(await queued(), before);
  await site.work();
});

test('a pending order whose job is gone is enqueued again and delivered', async () => {
  const { order_id, server_uuid, key } = await ordered();
  await clear();
  await site.run(pending);
  const jobs = await queued();
  assert.deepEqual(
    jobs.map(({ key, payload }) => ({ key, payload })),
    [{ key, payload: { order_id } }],
  );
  await site.work();
  assert.deepEqual(await queued(), []);
  const { rows } = await site.pool.pg.query('SELECT state FROM services WHERE id = $1', [server_uuid]);
  assert.deepEqual(rows, [{ state: 'active' }]);
});

test('a job that has used up its attempts begins anew; one that is only waiting for its next does not', async () => {
  const [exhausted, waiting] = [await ordered(), await ordered()];
  await queue.query(
    `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, run_at = now() + interval '1 day' WHERE key = $1`,
    [exhausted.key],
  );
  await queue.query(
    `UPDATE graphile_worker._private_jobs SET attempts = 7, run_at = now() + interval '1 day' WHERE key = $1`,
    [waiting.key],
  );
  await site.run(pending);
  const attempts = new Map((await queued()).map((job) => [job.key, job.attempts]));
  assert.equal(attempts.get(exhausted.key), 0);
  assert.equal(attempts.get(waiting.key), 7);
  await clear();
});

test('a job that is running is not enqueued beside itself', async () => {
  const { key } = await ordered();
  await queue.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'a worker', attempts = 1 WHERE key = $1`,
    [key],
  );
  const running = (jobs: QueuedRow[]) => jobs.filter((job) => job.key === key || job.key === null);
  const before = running(await queued());
  assert.equal(before.length, 1);
  await site.run(pending);
  assert.deepEqual(running(await queued()), before);
  await clear();
});

test('what is delivered, or has failed, is never enqueued again', async () => {
  await site.run(pending);
  await site.work();
  await site.run(pending);
  assert.deepEqual(await queued(), []);
  const { rows } = await site.pool.pg.query("SELECT FROM orders WHERE state = 'pending'");
  assert.deepEqual(rows, []);
});
