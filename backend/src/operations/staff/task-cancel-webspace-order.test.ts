import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { openStuckWork } from '../../../test/stuck-work.ts';
import { openWebspaces } from '../../../test/webspaces.ts';
import reconcile from '../../business/webspaces/reconcile.job.ts';

const site = await openWebspaces();
const { pool } = site;
const { requests, staff, cancel, isOver, taskOf, accepted, accountOf, orderState, differences } =
  await openStuckWork(site, { ...site.ports, registry: {} });

beforeEach(healed);

/** The web servers answer again. */
async function healed(): Promise<void> {
  await pool.pg.query('DELETE FROM sandbox.faults');
}

async function broken(command: string, fault = 'timeout_before'): Promise<void> {
  await pool.pg.query('INSERT INTO sandbox.faults (command, fault, remaining) VALUES ($1, $2, 1000)', [
    command,
    fault,
  ]);
}

async function compared(id: string): Promise<string[]> {
  site.clock.set(site.clock.now().add({ minutes: 10 }));
  await site.run(reconcile);
  return await differences(id);
}

/** Work on a webspace that is there, and whose web server does not answer since. */
async function begun(path: string, command: string, input: object) {
  const who = await site.customer(5_000n);
  const { webspace_uuid: uuid } = await site.webspace(who);
  await broken(command);
  const { task } = await accepted(path, { uuid, ...input }, who);
  await site.work();
  return { who, taskId: task.uuid as string };
}

test('a new webspace whose web server never answers says so, and an operator ends it', async () => {
  const who = await site.customer(5_000n);
  await broken('ensure_site');
  const { webspace_uuid: uuid, order_id: orderId, task } = await site.order(who);
  await site.work();
  assert.match((await taskOf(who, task.uuid)).error.message, /The web server did not answer/);
  assert.match((await taskOf(who, task.uuid, 'de')).error.message, /hat nicht geantwortet/);
  await broken('site_status');
  const { work } = await cancel(task.uuid);
  assert.deepEqual([work[0].back_end, work[0].outcome, work[0].order_id], ['silent', 'cancelled', orderId]);
  assert.deepEqual(await accountOf(who), { reserved: 0n, balance: 5_000n });
  assert.deepEqual(await site.roomProblems(), []);
  assert.equal((await taskOf(who, task.uuid)).error.error, 'abandoned');
  assert.deepEqual(await differences(uuid), ['site_unknown']);
  await isOver(orderId);
  await healed();
  assert.deepEqual(await compared(uuid), []);
  await site.work();
  assert.deepEqual(await site.roomProblems(), []);
});

test('a site that came about is delivered, or left as an orphan that nothing removes', async () => {
  const who = await site.customer(5_000n);
  await broken('ensure_site', 'timeout_after');
  const first = await site.order(who);
  const second = await site.order(who);
  await site.work();
  assert.equal((await cancel(first.order_id)).work[0].outcome, 'continued');
  assert.equal((await cancel(second.order_id, { anyway: true })).work[0].outcome, 'cancelled');
  await healed();
  await site.work();
  assert.equal(await orderState(first.order_id), 'completed');
  assert.equal(await orderState(second.order_id), 'failed');
  assert.deepEqual(await compared(second.webspace_uuid), ['site_unknown']);
  assert.ok((await site.sites()).some(({ webspace_id }) => webspace_id === second.webspace_uuid));
  assert.equal((await accountOf(who)).reserved, 0n);
  assert.deepEqual(await site.roomProblems(), []);
});

for (const [path, command, input] of [
  ['webspace/backup-create', 'ensure_backup', {}],
  ['webspace/php-version', 'ensure_site', { php_version: '8.3' }],
] as const) {
  test(`${path}: refused while the web server answers, cancelled when it does not`, async () => {
    const { who, taskId } = await begun(path, command, input);
    assert.equal((await taskOf(who, taskId)).error.error, 'backend_unavailable');
    await requests.refused('state_conflict', 'staff/task-cancel', { uuid: taskId }, { token: staff });
    await broken('site_status');
    assert.equal((await cancel(taskId)).work[0].outcome, 'cancelled');
    const { state, error } = await taskOf(who, taskId);
    assert.deepEqual([state, error.error], ['cancelled', 'abandoned']);
    await healed();
    await site.work();
    assert.equal((await taskOf(who, taskId)).state, 'cancelled');
  });
}

test('a restoration that the web server never makes: it is over, and the backup can be restored again', async () => {
  const who = await site.customer(5_000n);
  const { webspace_uuid: uuid, access } = await site.webspace(who);
  const { backup_uuid, task: made } = await accepted('webspace/backup-create', { uuid }, who);
  await site.work();
  assert.equal((await taskOf(who, made.uuid)).state, 'succeeded');
  await broken('ensure_restored');
  const restoring = { uuid, backup_uuid, confirm: access.username };
  const { task } = await accepted('webspace/backup-restore', restoring, who);
  await site.work();
  assert.equal((await taskOf(who, task.uuid)).error.error, 'backend_unavailable');
  await requests.refused('state_conflict', 'staff/task-cancel', { uuid: task.uuid }, { token: staff });
  await broken('site_status');
  const { work } = await cancel(task.uuid);
  assert.deepEqual(
    [work[0].type, work[0].back_end, work[0].outcome],
    ['webspace.restore', 'silent', 'cancelled'],
  );
  assert.equal((await taskOf(who, task.uuid)).error.error, 'abandoned');
  await isOver(task.uuid);
  await healed();
  await site.work();
  const restored = async () =>
    (await pool.pg.query('SELECT restored FROM sandbox.sites WHERE webspace_id = $1', [uuid])).rows[0]
      ?.restored;
  assert.deepEqual(await restored(), [], 'what was given up is not done later');
  const again = await accepted('webspace/backup-restore', restoring, who);
  await site.work();
  assert.equal((await taskOf(who, again.task.uuid)).state, 'succeeded');
  assert.deepEqual(await restored(), [again.task.uuid]);
});
