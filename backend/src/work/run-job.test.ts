import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { openServers } from '../../test/servers.ts';
import capBackoff from '../business/core/backends/cap-backoff.job.ts';
import provision from '../business/servers/machine/provision.job.ts';
import { planFault } from '../drivers/hypervisor/sandbox/fault.ts';
import { queueState } from './queue-state.ts';

const site = await openServers();
const { catalogs, sealer, signer, queue } = site;

/** A logger, and the lines that it wrote. */
function recorder() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  return { lines, context: { catalogs, sealer, signer, log: pino({ level: 'debug' }, stream) } };
}

/** A new order, and the job that waits to deliver it. */
async function ordered() {
  const who = await site.customer(100_000n);
  const { order_id: orderId, server_uuid: serverId, task } = await site.order(who);
  const { rows } = await queue.query<{ payload: Record<string, string> }>(
    'SELECT payload FROM graphile_worker._private_jobs WHERE key = $1',
    [`server.provision:${orderId}`],
  );
  return { who, orderId, serverId, taskId: task.uuid, payload: rows[0]?.payload ?? {} };
}

test('a line about a job names the order, service, account, request and task that it is for', async () => {
  const { who, orderId, serverId, taskId, payload } = await ordered();
  assert.match(payload.request_id ?? '', /^[0-9a-f-]{36}$/);
  await planFault(site.sandbox, { command: 'ensure_machine', fault: 'timeout_before' });
  const { lines, context } = recorder();
  await assert.rejects(site.run(provision, payload, { context }));
  const line =
    lines.find(({ msg }) => msg === 'a job will be tried again') ?? assert.fail('nothing was logged');
  const { job, order_id, service_id, account_id, task_id, request_id } = line;
  assert.deepEqual(
    { job, order_id, service_id, account_id, task_id, request_id },
    {
      job: 'server.provision',
      order_id: orderId,
      service_id: serverId,
      account_id: who.accountId,
      task_id: taskId,
      request_id: payload.request_id,
    },
  );
  await site.work();
});

test('what went wrong is written to the task when it changes, and not at each attempt', async () => {
  const { orderId, taskId, payload } = await ordered();
  const rowOf = async () =>
    (await site.pool.pg.query('SELECT xmin::text AS version, trouble FROM tasks WHERE id = $1', [taskId]))
      .rows[0];
  await planFault(site.sandbox, { command: 'ensure_machine', fault: 'timeout_before', times: 2 });
  await assert.rejects(site.run(provision, payload));
  const first = await rowOf();
  assert.equal(first.trouble, 'no_answer');
  await assert.rejects(site.run(provision, payload));
  assert.equal((await rowOf()).version, first.version);
  await planFault(site.sandbox, { command: 'ensure_machine', fault: 'pending' });
  await assert.rejects(site.run(provision, payload));
  assert.equal((await rowOf()).trouble, null, 'it goes on as it should');
  await site.run(provision, payload);
  const { rows } = await site.pool.pg.query('SELECT state FROM orders WHERE id = $1', [orderId]);
  assert.equal(rows[0]?.state, 'completed');
});

test('a job that failed often sleeps ten minutes at the longest, and one that never failed as long as it was told', async () => {
  await queue.query(`
    SELECT graphile_worker.add_job('test.failed', '{}', run_at := now() + interval '6 hours');
    SELECT graphile_worker.add_job('test.planned', '{}', run_at := now() + interval '6 hours');
    UPDATE graphile_worker._private_jobs j SET attempts = 9, updated_at = now()
      FROM graphile_worker._private_tasks t WHERE t.id = j.task_id AND t.identifier = 'test.failed'`);
  await site.run(capBackoff);
  const { rows } = await queue.query(
    `SELECT task_identifier AS name, run_at <= now() + interval '10 minutes' AS soon
     FROM graphile_worker.jobs WHERE task_identifier LIKE 'test.%' ORDER BY 1`,
  );
  assert.deepEqual(rows, [
    { name: 'test.failed', soon: true },
    { name: 'test.planned', soon: false },
  ]);
});

/** The job that delivers an order, as the queue has it, on its last attempt. */
async function onItsLast(orderId: string) {
  const key = `server.provision:${orderId}`;
  await queue.query(
    'UPDATE graphile_worker._private_jobs SET attempts = max_attempts - 1, run_at = created_at WHERE key = $1',
    [key],
  );
  await site.work();
  const { rows } = await queue.query<{ dead: boolean }>(
    'SELECT attempts >= max_attempts AS dead FROM graphile_worker._private_jobs WHERE key = $1',
    [key],
  );
  return rows;
}

for (const fault of ['pending', 'timeout_before'] as const)
  test(`a back end whose commands end as ${fault} for ever makes no dead job`, async () => {
    const { orderId } = await ordered();
    await planFault(site.sandbox, { command: 'ensure_machine', fault, times: 2 });
    for (const _ of [1, 2]) assert.deepEqual(await onItsLast(orderId), [{ dead: false }]);
    assert.deepEqual(await onItsLast(orderId), [], 'it ends when the back end has done it');
  });

test('a job whose place another has taken is no dead job when it fails, and is forgotten', async () => {
  const { orderId, payload } = await ordered();
  const key = `server.provision:${orderId}`;
  await queue.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'a worker' WHERE key = $1`,
    [key],
  );
  await queue.query('SELECT enqueue_jobs(ARRAY[$1], ARRAY[$2::json], ARRAY[$3])', [
    'server.provision',
    payload,
    key,
  ]);
  // As the queue does when the run that is under way fails.
  await queue.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE locked_by = 'a worker'`,
  );
  const ofOrder = async () =>
    (
      await queue.query<{ key: string | null }>(
        "SELECT key FROM graphile_worker._private_jobs WHERE payload ->> 'order_id' = $1",
        [orderId],
      )
    ).rows;
  assert.equal((await ofOrder()).length, 2);
  assert.equal((await queueState(site.pool)).deadJobs, 0);
  await site.run(capBackoff);
  assert.deepEqual(await ofOrder(), [{ key }]);
  await site.work();
  assert.deepEqual(await ofOrder(), []);
});
