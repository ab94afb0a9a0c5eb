import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { openSizedServers } from '../../../../test/sized-server.ts';
import type { Hypervisor, WantedMachine } from '../../../drivers/hypervisor/port.ts';
import { planFault } from '../../../drivers/hypervisor/sandbox/fault.ts';
import life from '../../selling/subscriptions/renewal/lifecycle.job.ts';
import reinstall from './reinstall.job.ts';

const site = await openSizedServers();
const { pool, clock } = site;
const START = clock.now();
/** Withdrawn from, a server is kept for a day. */
const OVER = START.add({ hours: 25 });

beforeEach(async () => {
  clock.set(START);
  await site.sandbox.pg.query('DELETE FROM sandbox.faults');
});

/** A server that is to be installed anew, and the task. */
async function reinstalling() {
  const server = await site.ordered();
  const input = { uuid: server.uuid, os: 'debian-13', confirm: 'web.example.com' };
  const { task } = await site.begin('server/reinstall', input, server.token);
  return { ...server, taskId: task.uuid as string };
}

const withdraw = (uuid: string, token: string) =>
  site.data('server/cancel', { uuid, mode: 'withdraw', confirm: 'web.example.com' }, { token });

/** The day after, when its life deletes it. */
async function deletedByLife(): Promise<void> {
  clock.set(OVER);
  await site.run(life);
  await site.work();
}

async function stateOf(uuid: string, taskId: string) {
  const { rows } = await pool.pg.query<Record<string, unknown>>(
    `SELECT s.state, t.state AS task, v.removed_at IS NOT NULL AS removed,
       v.password_sealed IS NOT NULL AS secret,
       (SELECT count(*)::int FROM server_changes c WHERE c.server_id = s.id) AS changes,
       (SELECT count(*)::int FROM addresses a WHERE a.server_id = s.id) AS addresses,
       (SELECT power FROM sandbox.machines m WHERE m.server_id = s.id) AS machine,
       (SELECT installs FROM sandbox.machines m WHERE m.server_id = s.id) AS installs
     FROM services s JOIN servers v ON v.id = s.id JOIN tasks t ON t.id = $2 WHERE s.id = $1`,
    [uuid, taskId],
  );
  return rows[0];
}

const GONE = {
  state: 'deleted',
  removed: true,
  secret: false,
  changes: 0,
  addresses: 0,
  machine: null,
  installs: null,
};

/** The ports, where something happens while a machine is made. */
function during(happen: () => Promise<unknown>) {
  const hypervisor: Hypervisor = {
    ...site.ports.hypervisor,
    async ensureMachine(wanted: WantedMachine) {
      await happen();
      return await site.ports.hypervisor.ensureMachine(wanted);
    },
  };
  return { ports: { ...site.ports, hypervisor } };
}

test('a server that ends before its work began is not worked on: the task is cancelled, the machine off', async () => {
  const { uuid, token, taskId } = await reinstalling();
  await withdraw(uuid, token);
  await site.work();
  const off = { state: 'cancelled', removed: false, secret: true, changes: 0, addresses: 2 };
  assert.deepEqual(await stateOf(uuid, taskId), {
    ...off,
    task: 'cancelled',
    machine: 'stopped',
    installs: 1,
  });
  await deletedByLife();
  assert.deepEqual(await stateOf(uuid, taskId), { ...GONE, task: 'cancelled' });
  assert.deepEqual(await site.stockProblems(), []);
});

test('work whose hypervisor never answers ends with the server, and its place stays taken until the machine is gone', async () => {
  const { uuid, token, taskId } = await reinstalling();
  for (const command of ['ensure_machine', 'ensure_power', 'ensure_absent', 'list'] as const)
    await planFault(site.sandbox, { command, fault: 'timeout_before', times: 1000 });
  await site.work();
  assert.equal((await stateOf(uuid, taskId))?.task, 'running');
  await withdraw(uuid, token);
  await deletedByLife();
  // Its next try, which a worker makes by itself.
  await site.run(reinstall, { server_id: uuid });
  const waits = { state: 'deleted', removed: false, secret: true, changes: 0, addresses: 2 };
  assert.deepEqual(await stateOf(uuid, taskId), {
    ...waits,
    task: 'cancelled',
    machine: 'running',
    installs: 1,
  });
  assert.deepEqual(await site.stockProblems(), []);
  await site.sandbox.pg.query('DELETE FROM sandbox.faults');
  await site.queue.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
  await site.work();
  assert.deepEqual(await stateOf(uuid, taskId), { ...GONE, task: 'cancelled' });
  assert.deepEqual(await site.stockProblems(), []);
});

test('a machine that is made when its server is gone already is removed again, and no secret of it is kept', async () => {
  const { uuid, token, taskId } = await reinstalling();
  const end = async () => {
    await withdraw(uuid, token);
    clock.set(OVER);
    await site.run(life);
    // The job of the change is this very run.
    await site.queue.query(`DELETE FROM graphile_worker._private_jobs WHERE key LIKE 'server.reinstall:%'`);
    await site.work();
    assert.equal((await stateOf(uuid, taskId))?.machine, null);
  };
  await site.run(reinstall, { server_id: uuid }, during(end));
  assert.equal((await stateOf(uuid, taskId))?.machine, 'running');
  await site.work();
  const { task, ...state } = (await stateOf(uuid, taskId)) ?? {};
  assert.deepEqual(state, GONE);
  assert.ok(task === 'succeeded' || task === 'cancelled');
  assert.deepEqual(await site.stockProblems(), []);
});
