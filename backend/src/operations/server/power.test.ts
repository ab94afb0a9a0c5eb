// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';
import waiting from '../../business/servers/capacity/waiting.job.ts';
import stranded from '../../business/servers/machine/orphaned.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';

const site = await openServers();
const { call, data, refused } = openRequests(site, { ports: { ...site.ports, registry: {} } as never });
const who = await site.customer(100_000n);
const token = who.secret;
const { server_uuid: uuid } = await site.order(who);
await site.work();

async function power(action: string, more: object = {}) {
  const received = await call('server/power', { uuid, action, ...more }, { token });
  assert.equal(received.status, 202, received.text);
  return received.body.data;
}

const taskOf = (task: { uuid: string }) => data('task/details', { uuid: task.uuid }, { token });

async function machine() {
  const [found] = (await site.machines()).filter((one) => one.server_id === uuid);
  return found?.power;
}

async function booked() {
  const { rows } = await site.pool.pg.query('SELECT wanted_power, power_state FROM servers WHERE id = $1', [
    uuid,
  ]);
  return rows[0];
}

async function fault(
  command: 'ensure_power' | 'ensure_shutdown' | 'ensure_rebooted',
  kind: string,
  times = 1,
) {
  await planFault(site.sandbox, { command, fault: kind as 'refuse', times, serverId: uuid });
}

/** Whatever waits, by the clock and the tick, as the worker does it. */
async function later(seconds: number) {
  site.clock.set(site.clock.now().add({ seconds }));
  await site.run(waiting);
  await site.work();
}

const STEPS = [
  ['pause', 'running', 'paused'],
  ['resume', 'paused', 'running'],
  ['shutdown', 'running', 'stopped'],
  ['start', 'stopped', 'running'],
  ['pause', 'running', 'paused'],
  ['reset', 'paused', 'running'],
  ['reboot', 'running', 'running'],
  ['pause', 'running', 'paused'],
  ['start', 'paused', 'running'],
  ['stop', 'running', 'stopped'],
  ['start', 'stopped', 'running'],
] as const;

test('every action brings the machine, and the books, to what it says', async () => {
  for (const [action, before, after] of STEPS) {
    const answer = await power(action);
    assert.deepEqual(
      [answer.power_state, answer.expected_power_state, answer.changed, answer.task.type],
      [before, after, true, 'server.power'],
      action,
    );
    await site.work();
    assert.equal((await taskOf(answer.task)).task.state, 'succeeded');
    assert.equal(await machine(), after, action);
    assert.deepEqual(await booked(), { wanted_power: after, power_state: after });
  }
});

test('what is so already is answered without a task, and the books want it from then on', async () => {
  await site.pool.pg.query("UPDATE servers SET wanted_power = 'stopped' WHERE id = $1", [uuid]);
  const answer = await data('server/power', { uuid, action: 'start' }, { token });
  assert.deepEqual([answer.changed, answer.task, answer.power_state], [false, null, 'running']);
  assert.equal((await booked())?.wanted_power, 'running');
});

test('a machine that does not run is neither restarted, paused nor asked to shut down', async () => {
  await power('stop');
  await site.work();
  for (const action of ['reboot', 'reset', 'pause', 'resume']) {
    const body = await refused('server_not_running', 'server/power', { uuid, action }, { token });
    assert.equal(body.current_state, 'stopped');
  }
  await power('start');
  await site.work();
});

test('while a task works, no other begins', async () => {
  const { task } = await power('reboot');
  const body = await refused('resource_locked', 'server/power', { uuid, action: 'stop' }, { token });
  assert.equal(body.task_uuid, task.uuid);
  await site.work();
  await power('reset');
  await site.work();
});

test('of many at once, one begins', async () => {
  const all = await Promise.all(
    Array.from({ length: 8 }, () => call('server/power', { uuid, action: 'reset' }, { token })),
  );
  assert.deepEqual(all.map(({ status }) => status).sort(), [202, ...new Array(7).fill(409)]);
  await site.work();
});

test('a system that does not follow: the task fails, says why, and nothing has changed', async () => {
  await fault('ensure_shutdown', 'pending', 100);
  const { task } = await power('shutdown', { timeout: 60 });
  await site.work();
  assert.equal((await taskOf(task)).task.state, 'running');
  assert.equal((await booked())?.wanted_power, 'running', 'nothing may cut the power meanwhile');
  await later(59);
  assert.equal((await taskOf(task)).task.state, 'running');
  await later(1);
  const ended = (await taskOf(task)).task;
  assert.deepEqual([ended.state, ended.error.error], ['failed', 'guest_not_responding']);
  assert.equal(await machine(), 'running');
  assert.deepEqual(await booked(), { wanted_power: 'running', power_state: 'running' });
});

test('a system that does not follow is cut off, if that was asked for', async () => {
  const { task } = await power('shutdown', { timeout: 60, force_after_timeout: true });
  await site.work();
  await later(60);
  assert.equal((await taskOf(task)).task.state, 'succeeded');
  assert.equal(await machine(), 'stopped');
  await site.sandbox.pg.query('DELETE FROM sandbox.faults');
  const { rows } = await site.pool.pg.query(
    "SELECT body FROM events WHERE type = 'server.power_changed' ORDER BY sequence DESC LIMIT 1",
  );
  assert.deepEqual(rows[0]?.body, { action: 'shutdown', power_state: 'stopped', forced: true });
  await power('start');
  await site.work();
});

test('what the hypervisor refuses fails with its words, and the books are as before', async () => {
  await fault('ensure_power', 'refuse');
  const { task } = await power('stop');
  await site.work();
  const ended = (await taskOf(task)).task;
  assert.deepEqual([ended.state, ended.error.error], ['failed', 'backend_error']);
  assert.match(ended.error.message, /hypervisor.*the sandbox was told to refuse/);
  assert.deepEqual(await booked(), { wanted_power: 'running', power_state: 'running' });
});

test('an unknown outcome is repeated as the wanted state, one restart once', async () => {
  const restarts = async () => {
    const { rows } = await site.sandbox.pg.query(
      'SELECT reboots, booted_at FROM sandbox.machines WHERE server_id = $1',
      [uuid],
    );
    return rows[0];
  };
  await fault('ensure_rebooted', 'timeout_after');
  const { task } = await power('reboot');
  await site.work();
  assert.equal((await taskOf(task)).task.state, 'running');
  const first = await restarts();
  await later(5);
  assert.equal((await taskOf(task)).task.state, 'succeeded');
  assert.deepEqual(await restarts(), first);
});

test('work whose job is gone goes on', async () => {
  const { task } = await power('reset');
  await site.queue.query("DELETE FROM graphile_worker._private_jobs WHERE key LIKE 'server.power:%'");
  await site.work();
  assert.equal((await taskOf(task)).task.state, 'queued');
  await site.run(stranded);
  await site.work();
  assert.equal((await taskOf(task)).task.state, 'succeeded');
});

test('a server that is suspended while work waits is made what the books say, and the task is cancelled', async () => {
  const { task } = await power('reset');
  await site.pool.pg.query("UPDATE services SET state = 'suspended' WHERE id = $1", [uuid]);
  await site.work();
  assert.equal((await taskOf(task)).task.state, 'cancelled');
  assert.equal(await machine(), 'stopped');
  await refused('state_conflict', 'server/power', { uuid, action: 'start' }, { token });
  const { rows } = await site.pool.pg.query('SELECT FROM server_changes');
  assert.equal(rows.length, 0);
});
