// Needs: database
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { after, test } from 'node:test';
import type { WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { pino } from 'pino';
import { createTestDatabase } from '../../test/database.ts';
import { until } from '../../test/until.ts';
import { startHeartbeat } from './heartbeat.ts';
import { QueuePool } from './queue-pool.ts';

const database = await createTestDatabase();
const owner = new pg.Client({ connectionString: database.url });
await owner.connect();
const pool = new QueuePool({ url: database.url, size: 2 });
after(async () => {
  pool.giveUp();
  await pool.end();
  await owner.end();
  await database.drop();
});

test('after the database was away for all, the first worker to come back leaves the jobs of other machines alone', async () => {
  // What a worker of another machine had written before the database went away for an hour.
  await owner.query("SELECT graphile_worker.add_job('t.long', job_key => 'long')");
  await owner.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '2 hours', locked_by = 'far'`,
  );
  await owner.query(`INSERT INTO worker_heartbeats (worker_id, host, pid, started, seen_at)
    VALUES ('far', 'another machine', 1, '', now() - interval '1 hour')`);
  const events: WorkerEvents = new EventEmitter();
  let beats = 0;
  const counted = Object.assign(Object.create(pool) as QueuePool, {
    query: (...args: Parameters<typeof pool.query>) => {
      if (String(args[0]).includes('worker_heartbeats h')) beats += 1;
      return pool.query(...args);
    },
  });
  const options = { events, log: pino({ level: 'silent' }), beatMs: 20 };
  const holder = async () =>
    (await owner.query<{ locked_by: string | null }>('SELECT locked_by FROM graphile_worker._private_jobs'))
      .rows[0]?.locked_by;
  const first = startHeartbeat({ ...options, pool: counted, silentSeconds: 600 });
  await until(
    async () => (beats > 3 ? true : null),
    async () => `${beats} beats`,
  );
  assert.equal(await holder(), 'far');
  await first.stop();
  // One that has reached the database for as long knows that the other is silent.
  const second = startHeartbeat({ ...options, pool: counted, silentSeconds: 4 });
  await until(
    async () => ((await holder()) === null ? true : null),
    async () => 'it is not freed',
  );
  await second.stop();
});
