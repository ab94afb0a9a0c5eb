// Slow: 12 s

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { parseCronItems } from 'graphile-worker';
import pg from 'pg';
import { pino } from 'pino';
import { z } from 'zod';
import { lossyProxy } from '../../test/lossy-proxy.ts';
import { startTemporaryServer } from '../../test/server.ts';
import { until } from '../../test/until.ts';
import { systemClock } from '../base/clock.ts';
import { APPLICATION_ROLE, migrate } from '../db/migrate.ts';
import { Pool } from '../db/pool.ts';
import { MACHINE } from './heartbeat.ts';
import { bookJob, type Job, maintenanceJob } from './job.ts';
import { QueuePool } from './queue-pool.ts';
import { enqueueDue } from './schedule.ts';
import { startWorker, type WorkerOptions } from './worker.ts';

// What is committed survives the end of its processes.
const server = await startTemporaryServer({ synchronous_commit: 'on' });
await migrate(server.url);
const pool = new Pool({ url: server.url, size: 4, name: 'worker-test', role: APPLICATION_ROLE });
const queue = new QueuePool({ url: server.url, size: 2 });
after(async () => {
  await pool.end();
  queue.giveUp();
  await queue.end();
  await server.stop();
});

const worker = (jobs: readonly Job[], more: Partial<WorkerOptions> = {}) =>
  startWorker({
    jobs,
    directUrl: server.url,
    pool,
    ports: {} as never,
    clock: systemClock,
    context: { log: pino({ level: 'silent' }) } as never,
    concurrency: 4,
    observe: () => {},
    ...more,
  });
const numbered = (name: string, run: (number: number) => Promise<void>) =>
  bookJob({
    name,
    payload: z.object({ number: z.int() }),
    run: (_pool, _ctx, { number }) => run(number),
  });
async function query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
const enqueued = (name: string, count: number) =>
  query(
    `SELECT graphile_worker.add_jobs(ARRAY(SELECT ($1, json_build_object('number', n), NULL, now(), 100, NULL, NULL, NULL)
       ::graphile_worker.job_spec FROM generate_series(1, $2::int) n))`,
    [name, count],
  );
const left = (name: string) =>
  query<{ id: string; locked_by: string | null }>(
    'SELECT id, locked_by FROM graphile_worker.jobs WHERE task_identifier = $1',
    [name],
  );
const none = (name: string) =>
  until(
    async () => ((await left(name).catch(() => [1])).length === 0 ? true : null),
    async () => `left: ${JSON.stringify(await left(name))}`,
    20,
  );

test('a worker outlives a database that is killed or cuts its connections while jobs run, end and fail, and loses none', async () => {
  const runs = new Map<number, number>();
  const failing = numbered('test.failing', async (number) => {
    const earlier = runs.get(number) ?? 0;
    runs.set(number, earlier + 1);
    await new Promise((resolve) => setImmediate(resolve));
    if (earlier === 0 && number % 2 === 0) throw new Error('the first time');
  });
  const working = await worker([failing]);
  try {
    for (let round = 0; round < 6; round += 1) {
      runs.clear();
      await until(
        () => enqueued('test.failing', 300).catch(() => null),
        () => 'the database is away',
        20,
      );
      await until(
        async () => (runs.size >= 50 ? true : null),
        () => `only ${runs.size} have run`,
        1,
      );
      if (round % 3 === 2) process.kill(server.pid, 'SIGKILL');
      else
        await query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hostkeep-queue'`,
        );
      // Its delay after a failure is no part of this.
      await until(
        async () => {
          const waiting = await query(
            `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now() AND locked_at IS NULL`,
          )
            .then(() => left('test.failing'))
            .catch(() => [1]);
          return waiting.length === 0 ? true : null;
        },
        async () => `left: ${(await left('test.failing')).length}`,
        20,
      );
      assert.equal(runs.size, 300);
    }
  } finally {
    await working.stop();
  }
});

test('a worker that is started while the database is away works when it is there', async () => {
  const proxy = await lossyProxy(server.url);
  proxy.state.closed = true;
  let ran = 0;
  await enqueued('test.late', 1);
  const starting = worker([numbered('test.late', async () => void ran++)], { directUrl: proxy.url });
  await new Promise((resolve) => setImmediate(resolve));
  proxy.state.closed = false;
  const working = await starting;
  await none('test.late');
  assert.equal(ran, 1);
  await working.stop();
});

test('a job that runs for longer than silence is allowed is started once, whatever its neighbours do', async () => {
  const heartbeat = { beatMs: 10, silentSeconds: 0.05 };
  const end = Promise.withResolvers<void>();
  let starts = 0;
  let beats = 0;
  const long = numbered('test.long', async () => {
    starts += 1;
    await end.promise;
  });
  await enqueued('test.long', 1);
  const [one, other] = [await worker([long], { heartbeat }), await worker([long], { heartbeat })];
  const seen = async () =>
    (await query<{ at: string }>('SELECT max(seen_at)::text AS at FROM worker_heartbeats'))[0]?.at;
  let last = await seen();
  await until(
    async () => {
      const now = await seen();
      if (now !== last) beats += 1;
      last = now;
      return beats >= 20 && starts > 0 ? true : null;
    },
    () => 'no heartbeat',
    5,
  );
  assert.equal(starts, 1);
  end.resolve();
  await none('test.long');
  await Promise.all([one.stop(), other.stop()]);
});

test('what a process of this machine held that is gone runs at once, also when its number was given again', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  for (const [id, pid, started] of [
    ['ended', child.pid, '1'],
    ['renumbered', process.pid, 'another start'],
  ] as const) {
    await enqueued('test.held', 1);
    await query(
      `INSERT INTO worker_heartbeats (worker_id, host, pid, started, seen_at) VALUES ($1, $2, $3, $4, now())`,
      [id, MACHINE, pid, started],
    );
    await query(
      `UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now() WHERE locked_by IS NULL`,
      [id],
    );
    const working = await worker([numbered('test.held', async () => {})]);
    await none('test.held');
    await working.stop();
  }
});

test('a minute is served by one worker, and a minute that a wrong clock wrote does not stop the next', async () => {
  const items = parseCronItems([{ task: 'test.minute', match: '* * * * *', identifier: 'test.minute' }]);
  const [row] = await query<{ at: string }>('SELECT now()::text AS at');
  const now = Temporal.Instant.from(new Date(row?.at ?? '').toISOString());
  const both = await Promise.all([enqueueDue(items, queue, now), enqueueDue(items, queue, now)]);
  assert.deepEqual(both.map((names) => names.length).sort(), [0, 1]);
  assert.equal((await left('test.minute')).length, 1);
  const ahead = now.add({ hours: 2 });
  assert.equal((await enqueueDue(items, queue, ahead)).length, 1);
  assert.equal((await enqueueDue(items, queue, now)).length, 1, 'two hours ahead counts for nothing');
});

test('maintenance that a dying worker left, or that failed, is tried again, and leaves nothing dead once it ran', async () => {
  const items = parseCronItems([{ task: 'test.daily', match: '* * * * *', identifier: 'test.daily' }]);
  const now = Temporal.Instant.from('2027-01-01T00:00:00Z');
  await enqueueDue(items, queue, now);
  await query(
    "UPDATE graphile_worker._private_jobs SET attempts = 1, run_at = created_at WHERE key = 'test.daily'",
  );
  let runs = 0;
  const daily = maintenanceJob({
    name: 'test.daily',
    schedule: '0 0 1 1 *',
    async run() {
      runs += 1;
    },
  });
  const working = await worker([daily]);
  await none('test.daily');
  await working.stop();
  assert.equal(runs, 1);
});

test('a job that does not end does not keep its worker: another one takes it up at once', async () => {
  const never = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const stuck = numbered('stuck', () => {
    begun.resolve();
    return never.promise;
  });
  // Silence alone would free the job only long after the patience of this test.
  const heartbeat = { beatMs: 5_000, silentSeconds: 3_600 };
  const connections = async () =>
    (
      await query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'hostkeep-queue'",
      )
    ).map(({ pid }) => pid);
  const others = await connections();
  const first = await worker([stuck], { patienceMs: 20, heartbeat });
  await enqueued('stuck', 1);
  await begun.promise;
  const its = (await connections()).filter((pid) => !others.includes(pid));
  await first.stop();
  const second = await worker([numbered('stuck', async () => {})], { heartbeat });
  try {
    await none('stuck');
  } finally {
    await second.stop();
    never.resolve();
  }
  await until(
    async () => ((await connections()).some((pid) => its.includes(pid)) ? null : true),
    () => 'the worker that was stopped does not close its connections',
    20,
  );
});
