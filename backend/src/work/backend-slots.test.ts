// Needs: database
// Slow: 4 s

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { z } from 'zod';
import { createTestDatabase } from '../../test/database.ts';
import { until } from '../../test/until.ts';
import { systemClock } from '../base/clock.ts';
import { APPLICATION_ROLE } from '../db/migrate.ts';
import { Pool } from '../db/pool.ts';
import { commandJob } from './job.ts';
import { startWorker } from './worker.ts';

const COMMAND = 'test.command';
const SLOW = 'hypervisor:fra/slow';

const database = await createTestDatabase();
const pool = new Pool({ url: database.url, size: 8, name: 'backend-slots', role: APPLICATION_ROLE });
const queue = new pg.Pool({ connectionString: database.url, max: 2 });
queue.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
after(async () => {
  await queue.end();
  await pool.end();
  await database.drop();
});

const enqueued = (backend: string, count: number) =>
  queue.query(
    `SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
       SELECT ($1, json_build_object('backend', $2::text, 'number', n), NULL, NULL, NULL, $2 || n, NULL, NULL)
         ::graphile_worker.job_spec FROM generate_series(1, $3::integer) n))`,
    [COMMAND, backend, count],
  );
const waiting = async () =>
  (
    await queue.query<{ attempts: number; flags: unknown; running: boolean }>(
      'SELECT attempts, flags, locked_at IS NOT NULL AS running FROM graphile_worker._private_jobs ORDER BY id',
    )
  ).rows;

test('a back end that hangs takes half of the workers, and what waits for it uses up no attempts', async () => {
  const hanging = Promise.withResolvers<void>();
  const started: string[] = [];
  const finished: string[] = [];
  let most = 0;
  let slow = 0;
  const command = commandJob({
    name: COMMAND,
    payload: z.object({ backend: z.string(), number: z.int() }),
    load: async (_db, _ctx, payload) => payload,
    async command(_ports, { backend, number }) {
      started.push(`${backend}${number}`);
      if (backend === SLOW) {
        slow += 1;
        most = Math.max(most, slow);
        await hanging.promise;
        slow -= 1;
      }
      return { kind: 'done', result: null };
    },
    backend: ({ backend }) => backend,
    accounts: () => [],
    finish: async (_tx, _ctx, { backend, number }) => void finished.push(`${backend}${number}`),
  });
  await enqueued(SLOW, 20);
  const worker = await startWorker({
    jobs: [command],
    directUrl: database.url,
    pool,
    ports: {} as never,
    clock: systemClock,
    context: { log: pino({ level: 'silent' }) } as never,
    concurrency: 4,
    observe: () => {},
  });
  try {
    await enqueued('hypervisor:fra/quick', 30);
    await until(
      async () => (finished.length >= 30 ? true : null),
      () => `only ${finished.length} finished`,
    );
    assert.equal(started.filter((one) => one.startsWith(SLOW)).length, 2);
    const rows = await until(
      async () => {
        const found = await waiting();
        return found.length === 20 && found.filter(({ running }) => running).length === 2 ? found : null;
      },
      async () => `waiting: ${JSON.stringify(await waiting())}`,
    );
    for (const { attempts, running } of rows) assert.equal(attempts, running ? 1 : 0);
    hanging.resolve();
    await until(
      async () => ((await waiting()).length === 0 ? true : null),
      async () => `waiting: ${JSON.stringify(await waiting())}`,
    );
  } finally {
    hanging.resolve();
    await worker.stop();
  }
  assert.equal(most, 2);
  assert.equal(finished.length, 50);
  assert.equal(new Set(started).size, 50);
  assert.equal(started.length, 50, 'each was started once');
});
