import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, test } from 'node:test';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';

const site = await openServers();
const requests = openRequests(site);
const token = await staffToken(site);

const call = (path: string, input: object) => requests.call(path, input, { token });
const jobsOf = async (input: object) => (await requests.data('staff/jobs', input, { token })).jobs;

/** A job in the queue; dead unless it is to wait. */
async function queued(name: string, payload: object = {}, dead = true): Promise<number> {
  const key = `${name}:${randomUUID()}`;
  const { rows } = await site.queue.query<{ id: number }>(
    'SELECT id::int AS id FROM graphile_worker.add_job($1, $2::json, job_key => $3)',
    [name, JSON.stringify(payload), key],
  );
  if (dead) await died(key);
  return rows[0]?.id ?? assert.fail('nothing was enqueued');
}

async function died(key: string): Promise<void> {
  await site.queue.query(
    `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'a bug' WHERE key = $1`,
    [key],
  );
}

async function runs(id: number): Promise<void> {
  await site.queue.query(
    "UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'w' WHERE id = $1",
    [id],
  );
}

afterEach(async () => {
  await site.queue.query("DELETE FROM graphile_worker._private_jobs WHERE locked_by = 'w'");
});

test('jobs are listed by state and name, with the identifiers of what they are about and nothing else', async () => {
  const server_id = randomUUID();
  const dead = await queued('test.listed', { server_id, password: 'secret' });
  const waiting = await queued('test.listed', {}, false);
  const running = await queued('test.listed', {}, false);
  await runs(running);
  const all = await jobsOf({ name: 'test.listed' });
  assert.deepEqual(
    all.map(({ id, state }: { id: number; state: string }) => [id, state]),
    [
      [running, 'running'],
      [waiting, 'waiting'],
      [dead, 'dead'],
    ],
  );
  const [only, ...others] = await jobsOf({ name: 'test.listed', state: 'dead' });
  assert.deepEqual(others, []);
  const { payload, attempts, max_attempts, error } = only;
  assert.deepEqual({ payload, error }, { payload: { server_id }, error: 'a bug' });
  assert.equal(attempts, max_attempts);
  const second = await requests.data(
    'staff/jobs',
    { name: 'test.listed', order: 'asc', per_page: 1, page: 2 },
    { token },
  );
  assert.deepEqual(
    [second.jobs[0].id, second.pagination],
    [waiting, { page: 2, per_page: 1, total: 3, total_pages: 3 }],
  );
});

test('a dead job begins anew with all its attempts; one that runs is left alone', async () => {
  const id = await queued('test.retried');
  assert.deepEqual(await requests.data('staff/job-retry', { id }, { token }), { id, name: 'test.retried' });
  const [job] = await jobsOf({ name: 'test.retried' });
  assert.deepEqual([job.state, job.attempts], ['waiting', 0]);
  await runs(id);
  for (const path of ['staff/job-retry', 'staff/job-drop']) {
    const { status, body } = await call(path, { id });
    assert.deepEqual([status, body.error, body.current_state], [409, 'state_conflict', 'running']);
  }
});

test('a dead job is dropped; one that waits is not', async () => {
  const id = await queued('test.dropped', { mail_id: randomUUID() });
  await requests.data('staff/job-drop', { id, reason: 'Of no use' }, { token });
  assert.deepEqual(await jobsOf({ name: 'test.dropped' }), []);
  assert.equal((await call('staff/job-drop', { id })).status, 404);
  const waiting = await queued('test.dropped', {}, false);
  const { body } = await call('staff/job-drop', { id: waiting });
  assert.deepEqual([body.error, body.current_state], ['state_conflict', 'waiting']);
});

test('a dead job that an open order hangs on is not dropped, and delivers it when it is tried again', async () => {
  const who = await site.customer(100_000n);
  const { order_id: orderId, task } = await site.order(who);
  await died(`server.provision:${orderId}`);
  const [job] = await jobsOf({ name: 'server.provision', state: 'dead' });
  const refused = await call('staff/job-drop', { id: job.id });
  assert.deepEqual([refused.status, refused.body.order_uuid], [409, orderId]);
  await requests.data('staff/job-retry', { id: job.id }, { token });
  await site.work();
  const { rows } = await site.pool.pg.query(
    'SELECT o.state AS ordered, t.state AS task FROM orders o, tasks t WHERE o.id = $1 AND t.id = $2',
    [orderId, task.uuid],
  );
  assert.deepEqual(rows, [{ ordered: 'completed', task: 'succeeded' }]);
});

test('a dead job that only an open task hangs on is not dropped', async () => {
  const { accountId } = await site.customer(0n);
  const [taskId, serverId] = [randomUUID(), randomUUID()];
  await site.pool.pg.query(
    `INSERT INTO tasks (id, account_id, type, state, resource_type, resource_id, created_at)
     VALUES ($1, $2, 'server.power', 'running', 'server', $3, $4)`,
    [taskId, accountId, serverId, site.clock.now().toString()],
  );
  const id = await queued('server.power', { server_id: serverId });
  const refused = await call('staff/job-drop', { id });
  assert.deepEqual([refused.status, refused.body.task_uuid], [409, taskId]);
});
