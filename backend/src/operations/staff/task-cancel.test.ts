import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { staffToken } from '../../../test/requests.ts';
import { openSizedServers } from '../../../test/sized-server.ts';
import reconcile from '../../business/servers/machine/reconcile.job.ts';
import { planFault, type SandboxCommand } from '../../drivers/hypervisor/sandbox/fault.ts';

const site = await openSizedServers();
const staff = await staffToken(site);
const START = site.clock.now();

beforeEach(async () => {
  site.clock.set(START);
  await healed();
});

/** The hypervisor answers again. */
async function healed(): Promise<void> {
  await site.sandbox.pg.query('DELETE FROM sandbox.faults');
}

type FaultKind = Parameters<typeof planFault>[1]['fault'];

/** Work that is begun on a server whose hypervisor goes wrong so; it does not answer questions either. */
async function begun(path: string, input: object, command: SandboxCommand, fault: FaultKind) {
  const server = await site.ordered();
  const { task } = await site.begin(path, { uuid: server.uuid, ...input }, server.token);
  await planFault(site.sandbox, { command, fault, times: 100 });
  await planFault(site.sandbox, { command: 'status', fault: 'timeout_before', times: 100 });
  await site.work();
  assert.equal((await site.task(task.uuid, server.token)).state, 'running');
  return { ...server, taskId: task.uuid as string };
}

const give_up = (uuid: string) => site.data('staff/task-cancel', { uuid, reason: 'Gone' }, { token: staff });

async function differences(): Promise<string[]> {
  site.clock.set(site.clock.now().add({ minutes: 10 }));
  await site.run(reconcile);
  const { rows } = await site.pool.pg.query<{ kind: string }>(
    "SELECT kind FROM discrepancies WHERE resolved_at IS NULL AND kind <> 'too_many_differences'",
  );
  return rows.map(({ kind }) => kind);
}

test('work whose hypervisor never answers keeps its server locked until an operator gives it up', async () => {
  const { uuid, token, taskId } = await begun(
    'server/power',
    { action: 'stop' },
    'ensure_power',
    'timeout_before',
  );
  const locked = await site.refused('resource_locked', 'server/power', { uuid, action: 'reset' }, { token });
  assert.equal(locked.task_uuid, taskId);
  const { work } = await give_up(taskId);
  assert.deepEqual(work, [
    {
      task_uuid: taskId,
      type: 'server.power',
      resource: { type: 'server', uuid },
      order_id: null,
      back_end: 'silent',
      outcome: 'cancelled',
    },
  ]);
  await site.work();
  const { state, error } = await site.task(taskId, token);
  assert.deepEqual([state, error.error], ['cancelled', 'abandoned']);
  await site.refused('not_found', 'staff/task-cancel', { uuid: taskId }, { token: staff });
  await healed();
  await site.changed('server/power', { uuid, action: 'stop' }, token);
  assert.equal((await site.machine(uuid)).power, 'stopped');
});

test('given up, a larger size gives its money and capacity back; that the machine has it is reported', async () => {
  const size = { cores: 2, memory: 1024, disk: 20 };
  const { who, uuid, token, taskId } = await begun('server/resize', size, 'ensure_resized', 'timeout_after');
  assert.equal((await site.machine(uuid)).cores, 2);
  const reserved = () =>
    site.pool.kysely.selectFrom('accounts').select('reserved').where('id', '=', who.accountId);
  assert.notEqual((await reserved().executeTakeFirstOrThrow()).reserved, 0n);
  await give_up(taskId);
  await site.work();
  assert.equal((await site.task(taskId, token)).state, 'cancelled');
  assert.equal((await reserved().executeTakeFirstOrThrow()).reserved, 0n);
  assert.deepEqual(await site.stockProblems(), []);
  await healed();
  assert.deepEqual(await differences(), ['size_differs']);
  assert.equal((await site.machine(uuid)).cores, 2, 'nothing is set right by itself');
  await site.changed('server/resize', { uuid, ...size }, token);
  assert.deepEqual(await differences(), []);
});

test('given up, a snapshot that was taken after all is removed when the hypervisor is back', async () => {
  const { uuid, taskId } = await begun(
    'server/snapshot-create',
    { name: 'x' },
    'ensure_snapshot',
    'timeout_after',
  );
  assert.equal((await site.copies(uuid)).length, 1);
  await give_up(taskId);
  await healed();
  await site.work();
  assert.deepEqual(await site.copies(uuid), []);
});

test('given up, a restart that had stopped the machine is followed by what the books want', async () => {
  const { uuid, taskId } = await begun('server/power', { action: 'stop' }, 'ensure_power', 'timeout_after');
  assert.equal((await site.machine(uuid)).power, 'stopped');
  await give_up(taskId);
  await healed();
  await site.work();
  assert.equal((await site.machine(uuid)).power, 'running');
  assert.deepEqual(await differences(), []);
});

test('while the hypervisor answers, the task goes on by itself: it is given up after an hour at the earliest', async () => {
  const { token, uuid, taskId } = await begun('server/power', { action: 'stop' }, 'ensure_power', 'pending');
  await site.sandbox.pg.query("DELETE FROM sandbox.faults WHERE command = 'status'");
  const refused = await site.refused(
    'state_conflict',
    'staff/task-cancel',
    { uuid: taskId },
    { token: staff },
  );
  assert.deepEqual([refused.current_state, refused.resource.uuid], ['running', uuid]);
  site.clock.set(START.add({ minutes: 59 }));
  await site.refused('state_conflict', 'staff/task-cancel', { uuid: taskId }, { token: staff });
  site.clock.set(START.add({ hours: 1 }));
  await give_up(taskId);
  await site.work();
  assert.equal((await site.task(taskId, token)).state, 'cancelled');
});

test('a task that is over, or about something else, is not found', async () => {
  const { uuid, token } = await site.ordered();
  const { task } = await site.changed('server/power', { uuid, action: 'stop' }, token);
  for (const none of [task.uuid, randomUUID()])
    await site.refused('not_found', 'staff/task-cancel', { uuid: none }, { token: staff });
});
