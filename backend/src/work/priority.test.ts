// Needs: database
// Slow: 10 s

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { parseCronItems, run } from 'graphile-worker';
import pg from 'pg';
import { createTestDatabase } from '../../test/database.ts';
import { APPLICATION_ROLE } from '../db/migrate.ts';
import { Pool } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { enqueue, type QueuedJob } from './queue.ts';
import { enqueueDue } from './schedule.ts';

const ORDER = 'server.provision';
const REBOOT = 'server.power';

const database = await createTestDatabase();
const pool = new Pool({ url: database.url, size: 2, name: 'priorities', role: APPLICATION_ROLE });
const queue = new pg.Pool({ connectionString: database.url, max: 4 });
queue.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
after(async () => {
  await queue.end();
  await pool.end();
  await database.drop();
});

const addTasks = statement<object>(
  'test_tasks',
  `INSERT INTO tasks (id, account_id, type, state, resource_type, resource_id, created_at)
   SELECT uuidv7(), $1, $2, 'queued', 'server', uuidv7(), '2027-01-01' FROM generate_series(1, $3::integer)`,
);

async function openAccount(): Promise<string> {
  const id = randomUUID();
  await queue.query(
    "INSERT INTO accounts (id, state, currency, created_at) VALUES ($1, 'active', 'EUR', '2027-01-01')",
    [id],
  );
  return id;
}

/** As an operation does: the tasks, then their jobs, in one transaction. */
const order = (account: string, name: string, count: number, more: Partial<QueuedJob> = {}) =>
  transaction(pool, async (tx) => {
    await tx.run(addTasks, [account, name, count]);
    const one = () => ({ name, payload: { account_id: account }, key: randomUUID(), account, ...more });
    await enqueue(tx, Array.from({ length: count }, one));
  });

/** Which jobs the queue gives first, each with its account. */
async function firstTaken(count: number): Promise<{ name: string; account: unknown }[]> {
  const taken: { name: string; account: unknown }[] = [];
  const take = (name: string) => (payload: unknown) => {
    if (typeof payload !== 'object' || payload === null || !('account_id' in payload)) throw new TypeError();
    taken.push({ name, account: payload.account_id });
    if (taken.length === count) void runner.stop();
  };
  const taskList = { [ORDER]: take(ORDER), [REBOOT]: take(REBOOT) };
  const runner = await run({ pgPool: queue, concurrency: 1, noHandleSignals: true, taskList });
  await runner.promise;
  return taken;
}

test('behind ten thousand orders of an account, a reboot is the next job, and the first order of another account is among the first', async () => {
  const [first, second, third] = [await openAccount(), await openAccount(), await openAccount()];
  for (let enqueued = 0; enqueued < 10_000; enqueued += 100)
    await order(first, ORDER, 100, { priority: 'bulk' });
  await order(second, ORDER, 1, { priority: 'bulk' });
  await order(third, REBOOT, 1);
  await order(first, REBOOT, 1);
  const taken = await firstTaken(502);
  assert.deepEqual(taken.slice(0, 2), [
    { name: REBOOT, account: third },
    { name: REBOOT, account: first },
  ]);
  const position = taken.findIndex(({ name, account }) => name === ORDER && account === second);
  assert.ok(position >= 2 && position < 5, `position ${position}`);
});

test('single orders of an account wait behind the first of another, and never reach the next priority', async () => {
  await queue.query('DELETE FROM graphile_worker._private_jobs');
  const [first, second] = [await openAccount(), await openAccount()];
  await order(first, ORDER, 300);
  for (let one = 0; one < 300; one += 1) await order(first, ORDER, 1);
  await order(second, ORDER, 2);
  const { rows } = await queue.query<{ account: string; least: number; most: number }>(
    `SELECT payload ->> 'account_id' AS account, min(priority) AS least, max(priority) AS most
     FROM graphile_worker._private_jobs GROUP BY 1`,
  );
  const of = (id: string) => rows.find(({ account }) => account === id);
  assert.deepEqual(of(first), { account: first, least: 0, most: 500 });
  assert.deepEqual(of(second), { account: second, least: 0, most: 1 });
});

test('a job that is enqueued again goes as early as it would have', async () => {
  await queue.query('DELETE FROM graphile_worker._private_jobs');
  const job = (priority: 'interactive' | 'bulk') => [{ name: ORDER, payload: {}, key: 'again', priority }];
  const priority = async () =>
    (await queue.query<{ priority: number }>('SELECT priority FROM graphile_worker.jobs')).rows;
  await transaction(pool, (tx) => enqueue(tx, job('bulk')));
  assert.deepEqual(await priority(), [{ priority: 2_000 }]);
  await transaction(pool, (tx) => enqueue(tx, job('interactive')));
  assert.deepEqual(await priority(), [{ priority: 0 }]);
  await transaction(pool, (tx) => enqueue(tx, job('bulk')));
  assert.deepEqual(await priority(), [{ priority: 0 }]);
});

test('among a hundred thousand jobs the next is found by the index', async () => {
  await queue.query('DELETE FROM graphile_worker._private_jobs');
  await queue.query(
    `SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
       SELECT ($1, '{}', NULL, NULL, NULL, 'plan' || n, n % 3500, NULL)::graphile_worker.job_spec
       FROM generate_series(1, 100000) n))`,
    [ORDER],
  );
  await queue.query('ANALYZE graphile_worker._private_jobs');
  const sent = Promise.withResolvers<{ text: string; values: unknown[] }>();
  const spied = new pg.Pool({ connectionString: database.url, max: 3 });
  spied
    .on('error', () => {})
    .on('connect', (client) => {
      const send = client.query.bind(client) as (...args: unknown[]) => unknown;
      const query = (...args: unknown[]) => {
        const config = args[0] as { name?: string; text: string; values: unknown[] };
        if (config.name?.startsWith('get_job') === true) sent.resolve(config);
        return send(...args);
      };
      Object.assign(client, { query });
    });
  const runner = await run({
    pgPool: spied,
    concurrency: 1,
    noHandleSignals: true,
    taskList: { [ORDER]: () => {} },
    forbiddenFlags: ['hypervisor:fra/1'],
  });
  const { text, values } = await sent.promise;
  await runner.stop();
  await spied.end();
  const { rows } = await queue.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${text}`, values);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(plan, /Index .*jobs_main_index/);
  assert.doesNotMatch(plan, /Sort|Seq Scan on _private_jobs/);
});

test('maintenance that has waited for half an hour goes before a reboot of now; what has waited for less, behind it', async () => {
  const account = await openAccount();
  await order(account, ORDER, 2, { priority: 'maintenance' });
  const wait = `UPDATE graphile_worker._private_jobs SET run_at = now() - $1::interval WHERE id IN (
    SELECT id FROM graphile_worker._private_jobs WHERE payload->>'account_id' = $2 AND run_at > now() - interval '1 minute' LIMIT 1)`;
  await queue.query(wait, ['31 minutes', account]);
  await queue.query(wait, ['21 minutes', account]);
  await order(account, REBOOT, 1);
  const due = parseCronItems([{ task: 'test.due', match: '* * * * *', identifier: 'test.due' }]);
  const now = Temporal.Now.instant();
  assert.deepEqual(await enqueueDue(due, queue, now), ['test.due']);
  const { rows } = await queue.query<{ name: string }>(
    `SELECT task_identifier AS name FROM graphile_worker.jobs j JOIN graphile_worker._private_jobs p USING (id)
     WHERE payload->>'account_id' = $1 ORDER BY j.priority, j.run_at`,
    [account],
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    [ORDER, REBOOT, ORDER],
  );
});
