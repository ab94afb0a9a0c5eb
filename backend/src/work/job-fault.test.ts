// Needs: database
// Slow: 5 s

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { z } from 'zod';
import { createTestDatabase } from '../../test/database.ts';
import { until } from '../../test/until.ts';
import { SetClock } from '../base/clock.ts';
import { listQueuedJobs, lockQueuedJob, retryJob } from '../business/core/backends/queued-job.ts';
import { APPLICATION_ROLE } from '../db/migrate.ts';
import { Pool } from '../db/pool.ts';
import { transaction } from '../db/transaction.ts';
import { bookJob } from './job.ts';
import { noteFault } from './job-fault.ts';
import { enqueue } from './queue.ts';
import { startWorker } from './worker.ts';

const database = await createTestDatabase();
const pool = new Pool({ url: database.url, size: 4, name: 'faults', role: APPLICATION_ROLE });
const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));
after(async () => {
  await pool.end();
  await database.drop();
});

test('an error that nothing catches is known to be the job’s that it comes from, also from a socket that it opened', () => {
  const { href: signals } = new URL('../signals.ts', import.meta.url);
  const { href: faults } = new URL('./job-fault.ts', import.meta.url);
  const { href: logging } = new URL('../../../node_modules/pino/pino.js', import.meta.url);
  const program = `
    import { connect } from 'node:net';
    import { untilStopped } from '${signals}';
    import { asJob } from '${faults}';
    import pino from '${logging}';
    const stopped = untilStopped(pino({ level: 'silent' }));
    asJob({ name: 'good', key: '1' }, async () => {});
    asJob({ name: 'bad', key: '2' }, async () => { connect(1, '127.0.0.1'); });
    const { fault, isFault } = await stopped;
    console.log(JSON.stringify({ job: fault.job, isFault }));
    process.exit(0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  assert.deepEqual(JSON.parse(stdout || '{}'), { job: { name: 'bad', key: '2' }, isFault: true }, stderr);
});

test('a job that ended its process twice is dead with the reason, however often it is enqueued, until an operator begins it anew', async () => {
  let runs = 0;
  const job = bookJob({ name: 'test.faulty', payload: z.object({}), run: async () => void runs++ });
  const faulty = { name: job.name, key: 'faulty' };
  const put = () => transaction(pool, (tx) => enqueue(tx, [{ ...faulty, payload: {} }]));
  const dead = async () => {
    const page = { order: 'asc', limit: 10, offset: 0 } as const;
    const { jobs } = await listQueuedJobs(pool, { state: 'dead', name: job.name }, page);
    return jobs[0] ?? null;
  };
  assert.equal(await noteFault(pool, faulty, 'Error: first', clock.now()), 1);
  // Another day's does not count together with it.
  clock.set(clock.now().add({ hours: 25 }));
  assert.equal(await noteFault(pool, faulty, 'Error: another day', clock.now()), 1);
  clock.set(clock.now().add({ hours: 1 }));
  assert.equal(await noteFault(pool, faulty, 'Error: write EPIPE', clock.now()), 2);
  const worker = await startWorker({
    jobs: [job],
    directUrl: database.url,
    pool,
    ports: {} as never,
    clock,
    context: { log: pino({ level: 'silent' }) } as never,
    concurrency: 2,
    observe: () => {},
  });
  try {
    for (let time = 0; time < 2; time += 1) {
      await put();
      const found = await until(dead, () => 'it is not dead');
      assert.match(found.error ?? '', /ended its process twice and is set aside: Error: write EPIPE/);
      assert.equal(runs, 0);
    }
    await transaction(pool, async (tx) => {
      const locked = await lockQueuedJob(tx, Number((await dead())?.id));
      assert.ok(locked !== null && (await retryJob(tx, locked)));
    });
    await until(
      async () => (runs === 1 ? true : null),
      () => 'it does not run again',
    );
  } finally {
    await worker.stop();
  }
});
