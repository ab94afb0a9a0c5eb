// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSizedServers } from '../../../test/sized-server.ts';
import rescueJob from '../../business/servers/changes/rescue.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';
import { isLogin } from '../../drivers/hypervisor/sandbox/password.ts';

const site = await openSizedServers();
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUZLhDjsZCMfJ8VRtHnpQbUGYMKhdbfxWcEHkEWRsDW';

const status = (uuid: string, token: string) => site.data('server/status', { uuid }, { token });

async function inMachine(uuid: string) {
  const { rows } = await site.pool.pg.query<{
    power: string;
    files: string[];
    rescue_id: string | null;
    rescue_image: string | null;
    rescue_ssh_keys: string[];
    rescue_login_hash: Buffer | null;
    login_hash: Buffer;
  }>('SELECT * FROM sandbox.machines WHERE server_id = $1', [uuid]);
  return rows[0] ?? assert.fail('there is no machine');
}

test('a rescue starts another system, whose password is shown once and kept nowhere, and ends with the own disk', async () => {
  const { uuid, token } = await site.ordered();
  await site.writeFile(uuid, 'own');
  await site.changed('server/power', { uuid, action: 'stop' }, token);
  const { username, password, task } = await site.begin('server/rescue', { uuid }, token);
  const { rows: queued } = await site.pool.pg.query<{ wanted: string; secret_sealed: Buffer }>(
    'SELECT wanted::text, secret_sealed FROM server_changes WHERE server_id = $1',
    [uuid],
  );
  assert.equal(queued[0]?.wanted.includes(password), false);
  assert.equal(queued[0]?.secret_sealed.includes(password), false);
  await site.work();
  assert.equal((await site.task(task.uuid, token)).state, 'succeeded');
  const rescued = await inMachine(uuid);
  assert.deepEqual(
    [rescued.power, rescued.rescue_image, rescued.rescue_id],
    ['running', 'rescue', task.uuid],
  );
  assert.equal(await isLogin(rescued.rescue_login_hash, username, password), true);
  assert.notEqual((await status(uuid, token)).rescue_since, null);
  const { rows: left } = await site.pool.pg.query('SELECT FROM server_changes WHERE server_id = $1', [uuid]);
  assert.equal(left.length, 0);

  await site.changed('server/rescue-end', { uuid }, token);
  const own = await inMachine(uuid);
  assert.deepEqual([own.power, own.rescue_id, own.files], ['running', null, ['own']]);
  assert.deepEqual(own.login_hash, rescued.login_hash);
  assert.equal((await status(uuid, token)).rescue_since, null);
});

test('with keys there is no password', async () => {
  const { uuid, token } = await site.ordered();
  const { key_uuid } = await site.begin('server/sshkey-add', { name: 'Laptop', public_key: KEY }, token);
  const { password } = await site.changed('server/rescue', { uuid, ssh_key_uuids: [key_uuid] }, token);
  const { rescue_ssh_keys, rescue_login_hash } = await inMachine(uuid);
  assert.deepEqual([password, rescue_ssh_keys, rescue_login_hash], [null, [KEY], null]);
});

test('called again, the rescue system is another one; its end is refused where there is none', async () => {
  const { uuid, token } = await site.ordered();
  const refused = await site.call('server/rescue-end', { uuid }, { token });
  assert.deepEqual([refused.status, refused.body.error], [409, 'state_conflict']);
  const first = await site.changed('server/rescue', { uuid }, token);
  const second = await site.changed('server/rescue', { uuid }, token);
  const { rescue_id, rescue_login_hash } = await inMachine(uuid);
  assert.equal(rescue_id, second.task.uuid);
  assert.equal(await isLogin(rescue_login_hash, 'root', first.password), false);
});

test('what would reach the disk is refused meanwhile; a reinstallation ends the rescue', async () => {
  const { uuid, token } = await site.ordered();
  const { snapshot_uuid } = await site.changed('server/snapshot-create', { uuid }, token);
  await site.changed('server/rescue', { uuid }, token);
  for (const [path, more] of [
    ['server/snapshot-create', {}],
    ['server/snapshot-restore', { snapshot_uuid, confirm: 'web.example.com' }],
    ['server/password', {}],
  ] as const) {
    const refused = await site.call(path, { uuid, ...more }, { token });
    assert.deepEqual([refused.body.error, refused.body.current_state], ['state_conflict', 'rescue'], path);
  }
  await site.changed('server/reinstall', { uuid, os: 'debian-13', confirm: 'web.example.com' }, token);
  assert.equal((await inMachine(uuid)).rescue_id, null);
  assert.equal((await status(uuid, token)).rescue_since, null);
});

test('a refused rescue leaves the server running its own system', async () => {
  const { uuid, token } = await site.ordered();
  await planFault(site.sandbox, { command: 'ensure_rescue', fault: 'refuse', serverId: uuid });
  const { task } = await site.changed('server/rescue', { uuid }, token);
  assert.equal((await site.task(task.uuid, token)).error.error, 'backend_error');
  const { power, rescue_id } = await inMachine(uuid);
  assert.deepEqual([power, rescue_id, (await status(uuid, token)).rescue_since], ['running', null, null]);
});

test('a server that is suspended before the answer came is taken to be rescued, and can be brought back', async () => {
  const { uuid, token } = await site.ordered();
  await planFault(site.sandbox, { command: 'ensure_rescue', fault: 'timeout_after', serverId: uuid });
  await site.begin('server/rescue', { uuid }, token);
  await assert.rejects(site.run(rescueJob, { server_id: uuid }));
  const state = (to: string) =>
    site.pool.pg.query('UPDATE services SET state = $2 WHERE id = $1', [uuid, to]);
  await state('suspended');
  await site.run(rescueJob, { server_id: uuid });
  await site.work();
  await state('active');
  assert.notEqual((await status(uuid, token)).rescue_since, null);
  await site.changed('server/rescue-end', { uuid }, token);
  const { power, rescue_id } = await inMachine(uuid);
  assert.deepEqual([power, rescue_id], ['running', null]);
});
