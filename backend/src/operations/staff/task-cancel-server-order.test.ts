import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { openRequests } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';
import { openStuckWork } from '../../../test/stuck-work.ts';
import recover from '../../business/core/backends/recover.job.ts';
import provision from '../../business/servers/machine/provision.job.ts';
import reconcile from '../../business/servers/machine/reconcile.job.ts';
import { planFault, type SandboxCommand } from '../../drivers/hypervisor/sandbox/fault.ts';

const site = await openServers();
const stuckWork = await openStuckWork(site, { ...site.ports, registry: {} });
const { requests, staff, cancel, retry, isOver, taskOf, accountOf, orderState, differences } = stuckWork;
const { eventsOf, dueJobs, asleep, failingBackends } = stuckWork;

beforeEach(healed);

/** The hypervisor answers again. */
async function healed(): Promise<void> {
  await site.sandbox.pg.query('DELETE FROM sandbox.faults');
}

/** Every call of these goes wrong. */
async function broken(
  commands: readonly SandboxCommand[],
  fault: 'timeout_before' | 'timeout_after' = 'timeout_before',
): Promise<void> {
  for (const command of commands) await planFault(site.sandbox, { command, fault, times: 1000 });
}

/** A new order whose machine never answers. */
async function stuck(commands: readonly SandboxCommand[], fault?: 'timeout_before' | 'timeout_after') {
  const who = await site.customer(100_000n);
  await broken(commands, fault);
  const { order_id: orderId, server_uuid: uuid, task } = await site.order(who);
  await site.work();
  return { who, orderId, uuid, taskId: task.uuid };
}

async function compared(uuid: string): Promise<string[]> {
  site.clock.set(site.clock.now().add({ minutes: 10 }));
  await site.run(reconcile);
  return await differences(uuid);
}

/** Nothing of the order is left: no money, no capacity, no address. */
async function nothingIsLeft(who: { accountId: string }, orderId: string, balance = 100_000n): Promise<void> {
  assert.equal(await orderState(orderId), 'failed');
  assert.deepEqual(await accountOf(who), { reserved: 0n, balance });
  assert.deepEqual(await site.stockProblems(), []);
}

test('a new order whose hypervisor never answers says so in words, and an operator ends it', async () => {
  const { who, orderId, uuid, taskId } = await stuck(['ensure_machine', 'status', 'list']);
  const waiting = await taskOf(who, taskId);
  assert.equal(waiting.state, 'running');
  assert.equal(waiting.error.error, 'backend_unavailable');
  assert.match(waiting.error.message, /The hypervisor did not answer/);
  assert.match((await taskOf(who, taskId, 'de')).error.message, /hypervisor hat nicht geantwortet/);

  const { work } = await cancel(taskId);
  assert.deepEqual(work, [
    {
      task_uuid: taskId,
      type: 'server.provision',
      resource: { type: 'server', uuid },
      order_id: orderId,
      back_end: 'silent',
      outcome: 'cancelled',
    },
  ]);
  await nothingIsLeft(who, orderId);
  const ended = await taskOf(who, taskId);
  assert.deepEqual([ended.state, ended.error.error], ['cancelled', 'abandoned']);
  assert.match((await taskOf(who, taskId, 'de')).error.message, /aufgegeben/);
  const events = await eventsOf(who);
  assert.ok(events.includes('order.failed') && events.includes('task.cancelled'), String(events));
  await isOver(taskId);

  // What may be there is looked for once the hypervisor answers: here, nothing is.
  assert.deepEqual(await differences(uuid), ['machine_unknown']);
  assert.deepEqual(await compared(uuid), ['machine_unknown'], 'a host that does not answer says nothing');
  await healed();
  assert.deepEqual(await compared(uuid), []);
  await site.work();
  assert.deepEqual(await site.machines(), []);
  await nothingIsLeft(who, orderId);
});

test('it is found by its order, too, and nothing is suspected where the hypervisor says that there is nothing', async () => {
  const { who, orderId, uuid } = await stuck(['ensure_machine']);
  const { work } = await cancel(orderId);
  assert.deepEqual([work[0].back_end, work[0].outcome], ['absent', 'cancelled']);
  assert.deepEqual(await differences(uuid), []);
  await nothingIsLeft(who, orderId);
  await isOver(orderId);
});

test('what is there in full is delivered instead; with `anyway` it is left as an orphan that nothing removes', async () => {
  const first = await stuck(['ensure_machine'], 'timeout_after');
  const answered = await cancel(first.taskId);
  assert.deepEqual([answered.work[0].back_end, answered.work[0].outcome], ['there', 'continued']);
  await healed();
  await site.work();
  assert.equal(await orderState(first.orderId), 'completed');
  assert.equal((await taskOf(first.who, first.taskId)).error, null);

  const second = await stuck(['ensure_machine'], 'timeout_after');
  assert.equal((await cancel(second.taskId, { anyway: true })).work[0].outcome, 'cancelled');
  await nothingIsLeft(second.who, second.orderId);
  await healed();
  await site.work();
  assert.deepEqual(await compared(second.uuid), ['machine_unknown']);
  const machines = (await site.machines()).map(({ server_id }) => server_id);
  assert.ok(machines.includes(second.uuid), 'nothing is deleted by itself');
});

test('a command that ends after the order was given up finds it closed, and leaves what it made as an orphan', async () => {
  const { who, orderId, uuid, taskId } = await stuck(['ensure_machine']);
  await healed();
  const { hypervisor } = site.ports;
  const late = {
    ...hypervisor,
    async ensureMachine(wanted: Parameters<typeof hypervisor.ensureMachine>[0]) {
      await cancel(taskId);
      return await hypervisor.ensureMachine(wanted);
    },
  };
  await site.run(provision, { order_id: orderId }, { ports: { ...site.ports, hypervisor: late } });
  await site.work();
  await nothingIsLeft(who, orderId);
  assert.deepEqual(await differences(uuid), ['machine_unknown']);
  assert.deepEqual(await compared(uuid), ['machine_unknown']);
});

test('an operator and a worker who are just finishing: one of them is first, and money moves once', async () => {
  for (let round = 0; round < 12; round += 1) {
    const { who, orderId, taskId } = await stuck(['ensure_machine'], 'timeout_after');
    await healed();
    const [cancelled] = await Promise.all([
      requests.call('staff/task-cancel', { uuid: taskId, anyway: true }, { token: staff }),
      site.run(provision, { order_id: orderId }),
      requests.call('staff/task-cancel', { uuid: taskId, anyway: true }, { token: staff }),
    ]);
    const state = await orderState(orderId);
    assert.ok([200, 404].includes(cancelled.status), cancelled.text);
    assert.ok(['completed', 'failed'].includes(state), state);
    const { reserved, balance } = await accountOf(who);
    assert.equal(reserved, 0n);
    assert.equal(balance === 100_000n, state === 'failed');
    const expected = state === 'failed' ? 'cancelled' : 'succeeded';
    assert.equal((await taskOf(who, taskId)).state, expected);
    const events = await eventsOf(who);
    assert.equal(events.filter((type) => type === 'order.failed').length, state === 'failed' ? 1 : 0);
  }
  await site.work();
  assert.deepEqual(await site.stockProblems(), []);
});

for (const [first, state, taskState] of [
  ['a worker', 'completed', 'succeeded'],
  ['another operator', 'failed', 'cancelled'],
] as const) {
  test(`while the hypervisor is asked, ${first} ends the order: the second to come changes nothing`, async () => {
    const { who, orderId, taskId } = await stuck(['ensure_machine']);
    await healed();
    const { hypervisor } = site.ports;
    const asked = {
      ...hypervisor,
      async status() {
        if (first === 'a worker') await site.run(provision, { order_id: orderId });
        else await cancel(taskId);
        return null;
      },
    };
    const second = openRequests(site, { ports: { ...site.ports, registry: {}, hypervisor: asked } as never });
    await second.refused('not_found', 'staff/task-cancel', { uuid: taskId }, { token: staff });
    assert.equal(await orderState(orderId), state);
    assert.equal((await taskOf(who, taskId)).state, taskState);
    assert.equal((await accountOf(who)).reserved, 0n);
    const ends = (await eventsOf(who)).filter((type) => /^task\.(succeeded|cancelled|failed)$/.test(type));
    assert.deepEqual(ends, [`task.${taskState}`]);
    await site.work();
    assert.deepEqual(await site.stockProblems(), []);
  });
}

test('what waits for a hypervisor is tried at once when a command of the same one has an outcome again', async () => {
  const { orderId } = await stuck(['ensure_machine']);
  await asleep();
  await healed();
  const other = await site.order(await site.customer(100_000n));
  await site.work();
  await site.work();
  assert.equal(await orderState(other.order_id), 'completed');
  assert.equal(await orderState(orderId), 'completed');
});

test('it is noticed although every job sleeps, and not while the hypervisor is silent', async () => {
  const { orderId } = await stuck(['ensure_machine', 'capacity']);
  const failing = await failingBackends();
  assert.equal(failing.length, 1);
  assert.match(failing[0] ?? '', /^hypervisor:/);
  await asleep();
  site.clock.set(site.clock.now().add({ seconds: 5 }));
  await site.run(recover);
  assert.equal(await dueJobs(), 0);
  await healed();
  site.clock.set(site.clock.now().add({ minutes: 1 }));
  await site.run(recover);
  await site.work();
  assert.equal(await orderState(orderId), 'completed');
  assert.deepEqual(await failingBackends(), []);
});

test('an operator tries an order again at once, by its uuid or with all that waits for its back end', async () => {
  const first = await stuck(['ensure_machine']);
  await asleep();
  await healed();
  assert.equal(await retry(first.orderId), 1);
  await site.work();
  assert.equal(await orderState(first.orderId), 'completed');

  const second = await stuck(['ensure_machine']);
  await asleep();
  await healed();
  const [name] = await failingBackends();
  const retried = await requests.data('staff/backend-retry', { name }, { token: staff });
  assert.equal(retried.jobs, 1);
  await site.work();
  assert.equal(await orderState(second.orderId), 'completed');
});
