import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSizedServers } from '../../../test/sized-server.ts';
import removeCopies from '../../business/servers/copies/remove-copies.job.ts';
import restoreJob from '../../business/servers/copies/snapshot-restore.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';

const site = await openSizedServers();
const HOSTNAME = 'web.example.com';

async function withSnapshot() {
  const server = await site.ordered();
  const { uuid, token } = server;
  await site.writeFile(uuid, 'before');
  const { snapshot_uuid } = await site.changed('server/snapshot-create', { uuid, name: 'first' }, token);
  await site.writeFile(uuid, 'after');
  return { ...server, snapshot_uuid };
}

const list = (uuid: string, token: string) => site.data('server/snapshots', { uuid }, { token });

test('a snapshot is pending while it is taken, then listed with its time', async () => {
  const { uuid, token } = await site.ordered();
  const begun = await site.begin('server/snapshot-create', { uuid, name: 'first' }, token);
  assert.equal((await list(uuid, token)).snapshots[0].state, 'pending');
  await site.work();
  const [shown, ...more] = (await list(uuid, token)).snapshots;
  assert.deepEqual(
    [shown.uuid, shown.name, shown.state, more.length],
    [begun.snapshot_uuid, 'first', 'available', 0],
  );
  assert.notEqual(shown.taken_at, null);
  assert.equal((await site.task(begun.task.uuid, token)).state, 'succeeded');
});

test('a restored server has the disk that it had, runs again, and has lost nothing that it wrote afterwards', async () => {
  const { uuid, token, snapshot_uuid } = await withSnapshot();
  const input = { uuid, snapshot_uuid, confirm: HOSTNAME };
  const { task } = await site.changed('server/snapshot-restore', input, token);
  const restored = await site.machine(uuid);
  assert.deepEqual([restored.files, restored.power], [['before'], 'running']);
  assert.deepEqual(restored.restores, [task.uuid]);
  await site.writeFile(uuid, 'later');
  await site.run(restoreJob, { server_id: uuid });
  assert.deepEqual((await site.machine(uuid)).files, ['before', 'later']);
});

test('a restore whose answer was lost is done once, also when it is asked for again', async () => {
  const { uuid, token, snapshot_uuid } = await withSnapshot();
  await planFault(site.sandbox, { command: 'ensure_restored', fault: 'timeout_after', serverId: uuid });
  const input = { uuid, snapshot_uuid, confirm: HOSTNAME };
  await site.begin('server/snapshot-restore', input, token);
  await assert.rejects(site.run(restoreJob, { server_id: uuid }));
  await site.writeFile(uuid, 'later');
  await site.run(restoreJob, { server_id: uuid });
  await site.work();
  const { files, power, restores } = await site.machine(uuid);
  assert.deepEqual([files, power, restores.length], [['before', 'later'], 'running', 1]);
});

test('a stopped server stays off when its disk is put back', async () => {
  const { uuid, token, snapshot_uuid } = await withSnapshot();
  await site.changed('server/power', { uuid, action: 'stop' }, token);
  await site.changed('server/snapshot-restore', { uuid, snapshot_uuid, confirm: HOSTNAME }, token);
  const { files, power } = await site.machine(uuid);
  assert.deepEqual([files, power], [['before'], 'stopped']);
});

test('a refused restore leaves the disk and has the server run again', async () => {
  const { uuid, token, snapshot_uuid } = await withSnapshot();
  await planFault(site.sandbox, { command: 'ensure_restored', fault: 'refuse', serverId: uuid });
  const input = { uuid, snapshot_uuid, confirm: HOSTNAME };
  const { task } = await site.changed('server/snapshot-restore', input, token);
  assert.equal((await site.task(task.uuid, token)).error.error, 'backend_error');
  const { files, power } = await site.machine(uuid);
  assert.deepEqual([files, power], [['before', 'after'], 'running']);
});

test('one thing at a time is done to a server', async () => {
  const { uuid, token, snapshot_uuid } = await withSnapshot();
  await site.begin('server/snapshot-create', { uuid }, token);
  const busy = (path: string, input: object) =>
    site.refused('resource_locked', path, { uuid, ...input }, { token });
  await busy('server/snapshot-create', {});
  await busy('server/snapshot-restore', { snapshot_uuid, confirm: HOSTNAME });
  await busy('server/snapshot-delete', { snapshot_uuid });
  await busy('server/resize', { cores: 2 });
  await site.work();
});

test('a deleted snapshot is gone where it was, and counts until then', async () => {
  const { uuid, token, snapshot_uuid } = await withSnapshot();
  for (const name of ['second', 'third']) await site.changed('server/snapshot-create', { uuid, name }, token);
  const full = await site.refused('limit_reached', 'server/snapshot-create', { uuid }, { token });
  assert.equal(full.limit, 3);
  await planFault(site.sandbox, { command: 'ensure_snapshot', fault: 'refuse', serverId: uuid });
  await site.changed('server/snapshot-delete', { uuid, snapshot_uuid }, token);
  assert.equal((await site.copies(uuid)).length, 3);
  await site.refused('limit_reached', 'server/snapshot-create', { uuid }, { token });
  const input = { uuid, snapshot_uuid, confirm: HOSTNAME };
  await site.refused('not_found', 'server/snapshot-restore', input, { token });
  await site.run(removeCopies);
  await site.work();
  assert.equal((await site.copies(uuid)).length, 2);
  assert.equal((await list(uuid, token)).snapshots.length, 2);
});

test('a snapshot that was refused after an answer was lost does not stay behind', async () => {
  const { uuid, token } = await site.ordered();
  await planFault(site.sandbox, { command: 'ensure_snapshot', fault: 'timeout_after', serverId: uuid });
  const { task } = await site.begin('server/snapshot-create', { uuid }, token);
  await site.work();
  assert.equal((await site.copies(uuid)).length, 1);
  await planFault(site.sandbox, { command: 'ensure_snapshot', fault: 'refuse', serverId: uuid });
  await site.queue.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
  await site.work();
  assert.equal((await site.task(task.uuid, token)).state, 'failed');
  assert.deepEqual(await site.copies(uuid), []);
  assert.deepEqual((await list(uuid, token)).snapshots, []);
});

test('above the high-water mark of its node no snapshot is taken, and none while the node does not say (rule G4)', async () => {
  const { uuid, token } = await site.ordered();
  const free = (disk_free: number) =>
    site.pool.pg.query(
      `INSERT INTO sandbox.full_nodes VALUES ('fra-epyc', 'fra-epyc-01', 4000, $1)
       ON CONFLICT (host, node) DO UPDATE SET disk_free = excluded.disk_free`,
      [disk_free],
    );
  await free(399);
  await site.refused('out_of_stock', 'server/snapshot-create', { uuid }, { token });
  await free(400);
  await planFault(site.sandbox, { command: 'capacity', fault: 'timeout_before' });
  await site.refused('backend_unavailable', 'server/snapshot-create', { uuid }, { token });
  await site.changed('server/snapshot-create', { uuid }, token);
  assert.equal((await list(uuid, token)).snapshots.length, 1);
});

test('with a reinstallation the snapshots are gone, in the books too', async () => {
  const { uuid, token } = await withSnapshot();
  await site.changed('server/reinstall', { uuid, os: 'debian-13', confirm: HOSTNAME }, token);
  assert.deepEqual(await site.copies(uuid), []);
  assert.deepEqual((await list(uuid, token)).snapshots, []);
});

test('what is protected against reinstallation is not overwritten by a restore, and neither without confirmation', async () => {
  const { uuid, token, snapshot_uuid } = await withSnapshot();
  const restore = { uuid, snapshot_uuid, confirm: HOSTNAME };
  await site.refused(
    'confirmation_mismatch',
    'server/snapshot-restore',
    { ...restore, confirm: 'x' },
    { token },
  );
  await site.pool.pg.query('UPDATE servers SET protect_reinstall = true WHERE id = $1', [uuid]);
  await site.refused('resource_protected', 'server/snapshot-restore', restore, { token });
});

test('somebody else’s server and snapshots are not found', async () => {
  const { snapshot_uuid, uuid } = await withSnapshot();
  const other = await site.ordered();
  await site.refused('not_found', 'server/snapshots', { uuid }, { token: other.token });
  const input = { uuid: other.uuid, snapshot_uuid, confirm: HOSTNAME };
  await site.refused('not_found', 'server/snapshot-restore', input, { token: other.token });
  await site.refused(
    'not_found',
    'server/snapshot-delete',
    { uuid: other.uuid, snapshot_uuid },
    {
      token: other.token,
    },
  );
});
