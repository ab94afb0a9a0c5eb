import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSizedServers } from '../../../test/sized-server.ts';
import isoJob from '../../business/servers/changes/iso.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';

const site = await openSizedServers();
const ISO = 'debian-13-netinst';

const shown = (uuid: string, token: string) => site.data('server/iso', { uuid }, { token });

async function inMachine(uuid: string) {
  const { rows } = await site.pool.pg.query(
    'SELECT medium, medium_first FROM sandbox.machines WHERE server_id = $1',
    [uuid],
  );
  return rows[0];
}

test('a medium is put in and taken out, in books and machine alike, and told of', async () => {
  const { uuid, token } = await site.ordered();
  assert.deepEqual((await shown(uuid, token)).iso, null);
  const { task } = await site.changed('server/iso-attach', { uuid, iso: ISO, boot: 'iso' }, token);
  assert.equal((await site.task(task.uuid, token)).state, 'succeeded');
  assert.deepEqual(await inMachine(uuid), { medium: ISO, medium_first: true });
  const { iso, boot } = await shown(uuid, token);
  assert.deepEqual([iso.name, iso.displayname, boot], [ISO, 'Debian 13, installer', 'iso']);
  const hardware = await site.data('server/hardware', { uuid }, { token });
  assert.deepEqual([hardware.iso, hardware.boot_order], [iso, ['cdrom0', 'vda']]);
  await site.changed('server/iso-detach', { uuid }, token);
  assert.deepEqual(await inMachine(uuid), { medium: null, medium_first: false });
  assert.deepEqual((await shown(uuid, token)).iso, null);
  const { rows } = await site.pool.pg.query(
    "SELECT body->>'iso' AS iso, body->>'boot' AS boot FROM events WHERE type = 'server.iso_changed' AND resource_id = $1 ORDER BY sequence",
    [uuid],
  );
  assert.deepEqual(rows, [
    { iso: ISO, boot: 'iso' },
    { iso: null, boot: 'disk' },
  ]);
});

test('the same medium with another order changes the order only', async () => {
  const { uuid, token } = await site.ordered();
  await site.changed('server/iso-attach', { uuid, iso: ISO, boot: 'iso' }, token);
  await site.changed('server/iso-attach', { uuid, iso: ISO }, token);
  assert.deepEqual(await inMachine(uuid), { medium: ISO, medium_first: false });
});

test('a medium that the node does not have leaves the drive and the books as they were', async () => {
  const { uuid, token } = await site.ordered();
  await planFault(site.sandbox, { command: 'ensure_medium', fault: 'refuse', serverId: uuid });
  const { task } = await site.changed('server/iso-attach', { uuid, iso: ISO }, token);
  assert.equal((await site.task(task.uuid, token)).error.error, 'backend_error');
  assert.equal((await shown(uuid, token)).iso, null);
});

test('an answer that was lost is asked for again, and the change is written once', async () => {
  const { uuid, token } = await site.ordered();
  await planFault(site.sandbox, { command: 'ensure_medium', fault: 'timeout_after', serverId: uuid });
  const { version } = await shown(uuid, token);
  await site.begin('server/iso-attach', { uuid, iso: ISO }, token);
  await assert.rejects(site.run(isoJob, { server_id: uuid }));
  await site.work();
  await site.run(isoJob, { server_id: uuid });
  const after = await shown(uuid, token);
  assert.deepEqual([after.iso.name, after.version], [ISO, version + 1]);
});

test('a reinstallation takes the medium out', async () => {
  const { uuid, token } = await site.ordered();
  await site.changed('server/iso-attach', { uuid, iso: ISO, boot: 'iso' }, token);
  await site.changed('server/reinstall', { uuid, os: 'debian-13', confirm: 'web.example.com' }, token);
  assert.deepEqual(await inMachine(uuid), { medium: null, medium_first: false });
  assert.equal((await shown(uuid, token)).iso, null);
});
