// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';
import reinstallJob from '../../business/servers/changes/reinstall.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';
import { isLogin } from '../../drivers/hypervisor/sandbox/password.ts';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUZLhDjsZCMfJ8VRtHnpQbUGYMKhdbfxWcEHkEWRsDW';
const OTHER_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE4bBsSCMaLHXlVJbWUzsrZEfzLnpTmTJSEwwDjN1Fjo laptop';

const site = await openServers(({ operating_systems }) => {
  const [system] = operating_systems;
  if (system === undefined) throw new Error('a system');
  operating_systems.push(
    { ...system, name: 'rocky-10', displayname: 'Rocky Linux', license_price: 0, min_memory: 1024 },
    { ...system, name: 'huge', displayname: 'Huge', license_price: 0, min_memory: 65536 },
  );
});
const { call, data, refused } = openRequests(site, { ports: { ...site.ports, registry: {} } as never });
const who = await site.customer(100_000n);
const token = who.secret;
const { server_uuid: uuid } = await site.order(who, { ssh_keys: [KEY] });
await site.work();

const INPUT = { uuid, os: 'debian-13', confirm: 'web.example.com' };

async function reinstall(more: object = {}) {
  const received = await call('server/reinstall', { ...INPUT, ...more }, { token });
  assert.equal(received.status, 202, received.text);
  return received.body.data;
}

async function machine() {
  const { rows } = await site.sandbox.pg.query('SELECT * FROM sandbox.machines WHERE server_id = $1', [uuid]);
  return rows[0];
}

const writeFile = () =>
  site.sandbox.pg.query("UPDATE sandbox.machines SET files = '{notes}' WHERE server_id = $1", [uuid]);
const config = async () => (await data('server/config', { uuid }, { token })).config;

test('a server is installed anew: its files are gone, its addresses and keys are not, and its password is another', async () => {
  const before = await config();
  await writeFile();
  await site.pool.pg.query(
    `INSERT INTO server_snapshots (id, server_id, name, state, created_at, taken_at)
     VALUES (gen_random_uuid(), $1, '', 'available', $2, $2)`,
    [uuid, site.clock.now().toString()],
  );
  const answer = await reinstall();
  assert.equal(answer.data_loss, true);
  assert.notEqual(answer.password, before.password);
  assert.equal((await data('server/status', { uuid }, { token })).lock.reason, 'reinstall');
  assert.equal((await config()).password, before.password, 'until it is done, the old one holds');
  await site.work();
  const after = await machine();
  assert.deepEqual(
    [after?.generation, after?.installs, after?.files, after?.power, after?.ssh_keys],
    [2, 2, [], 'running', [KEY]],
  );
  assert.ok(await isLogin(after?.login_hash, 'root', answer.password));
  assert.deepEqual(await config(), { ...before, password: answer.password });
  const kept = await site.pool.pg.query('SELECT FROM server_snapshots');
  assert.equal(kept.rows.length, 0, 'snapshots were inside the disk');
  const { rows } = await site.pool.pg.query("SELECT body FROM events WHERE type = 'server.reinstalled'");
  assert.deepEqual(rows, [{ body: { os: 'debian-13', hostname: 'web.example.com', generation: 2 } }]);
});

test('another system, host name, password, keys and user data are what was asked for', async () => {
  await reinstall({
    os: 'rocky-10',
    hostname: 'new.example.com',
    password: 'a password of mine',
    ssh_keys: [OTHER_KEY],
    user_data: '#cloud-config\n',
  });
  await site.work();
  const after = await machine();
  assert.deepEqual(
    [after?.image, after?.hostname, after?.ssh_keys],
    ['rocky-10', 'new.example.com', [OTHER_KEY]],
  );
  assert.ok(await isLogin(after?.login_hash, 'root', 'a password of mine'));
  const { os, hostname, password } = await config();
  assert.deepEqual([os.name, hostname, password], ['rocky-10', 'new.example.com', 'a password of mine']);
  await reinstall({ confirm: 'new.example.com', hostname: 'web.example.com', ssh_keys: [] });
  await site.work();
  assert.deepEqual((await machine())?.ssh_keys, []);
});

test('the job runs twice, and what was written after the first time is still there (rule G1)', async () => {
  await planFault(site.sandbox, { command: 'ensure_machine', fault: 'timeout_after', serverId: uuid });
  const { task } = await reinstall();
  await site.work();
  await writeFile();
  const { installs } = (await machine()) ?? {};
  await site.queue.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
  await site.work();
  assert.equal((await data('task/details', { uuid: task.uuid }, { token })).task.state, 'succeeded');
  assert.deepEqual([(await machine())?.installs, (await machine())?.files], [installs, ['notes']]);
});

test('refused by the hypervisor, the server is what it was, and the next attempt is another generation', async () => {
  const before = await config();
  await planFault(site.sandbox, { command: 'ensure_machine', fault: 'refuse', serverId: uuid });
  const { task } = await reinstall({ hostname: 'other.example.com' });
  await site.work();
  assert.equal((await data('task/details', { uuid: task.uuid }, { token })).task.state, 'failed');
  assert.deepEqual(await config(), before);
  const { generation } = (await machine()) ?? {};
  await reinstall();
  await site.work();
  assert.equal((await machine())?.generation, generation + 2);
});

test('nothing is lost by mistake: the name must be given, and protection holds', async () => {
  await refused('confirmation_mismatch', 'server/reinstall', { ...INPUT, confirm: 'x' }, { token });
  await refused('confirmation_mismatch', 'server/reinstall', { uuid, os: 'debian-13' }, { token });
  const set = await data('server/settings', { uuid, protection: { reinstall: true } }, { token });
  assert.deepEqual(set.protection, { delete: false, reinstall: true });
  assert.deepEqual((await data('server/status', { uuid }, { token })).protection, set.protection);
  await refused('resource_protected', 'server/reinstall', INPUT, { token });
  await data('server/settings', { uuid, protection: { reinstall: false } }, { token });
});

test('protected from its deletion, it cannot be ended at once, but at the end of its term', async () => {
  await data('server/settings', { uuid, protection: { delete: true } }, { token });
  const cancel = { uuid, confirm: 'web.example.com' };
  for (const mode of ['immediate', 'withdraw'])
    await refused('resource_protected', 'server/cancel', { ...cancel, mode }, { token });
  await data('server/cancel', { ...cancel, mode: 'end_of_term' }, { token });
  await data('server/cancel', { uuid, mode: 'revoke' }, { token });
  await data('server/settings', { uuid, protection: { delete: false } }, { token });
});

test('systems that cannot run there, or cost more, are refused', async () => {
  await refused('os_requirements_not_met', 'server/reinstall', { ...INPUT, os: 'huge' }, { token });
  const licensed = { ...INPUT, os: 'windows-2025' };
  const { errors } = await refused('validation_failed', 'server/reinstall', licensed, { token });
  assert.deepEqual([errors[0].pointer, errors[0].allowed], ['/os', ['debian-13', 'rocky-10', 'huge']]);
});

test('a dry run says what would become of it, and does nothing', async () => {
  const { preview } = await data('server/reinstall', { uuid, os: 'rocky-10', dry_run: true }, { token });
  assert.deepEqual(preview, {
    uuid,
    os: 'rocky-10',
    hostname: 'web.example.com',
    username: 'root',
    data_loss: true,
  });
  assert.equal((await data('server/status', { uuid }, { token })).task, null);
});

test('keys of the account are installed by their uuid', async () => {
  const added = await data('server/sshkey-add', { name: 'Laptop', public_key: OTHER_KEY }, { token });
  await refused('already_exists', 'server/sshkey-add', { name: 'Again', public_key: OTHER_KEY }, { token });
  const { keys } = await data('server/sshkeys', {}, { token });
  assert.deepEqual(
    keys.map(({ uuid, name, public_key, fingerprint }: typeof added) => ({
      uuid,
      name,
      public_key,
      fingerprint,
    })),
    [{ uuid: added.key_uuid, name: 'Laptop', public_key: OTHER_KEY, fingerprint: added.fingerprint }],
  );
  await reinstall({ ssh_keys: [KEY, OTHER_KEY], ssh_key_uuids: [added.key_uuid] });
  await site.work();
  assert.deepEqual((await machine())?.ssh_keys, [KEY, OTHER_KEY]);
  const unknown = { ...INPUT, ssh_key_uuids: [added.key_uuid, uuid] };
  const { errors } = await refused('validation_failed', 'server/reinstall', unknown, { token });
  assert.equal(errors[0].pointer, '/ssh_key_uuids/1');
  await data('server/sshkey-remove', { key_uuid: added.key_uuid }, { token });
  await refused('not_found', 'server/sshkey-remove', { key_uuid: added.key_uuid }, { token });
});

test('installed anew by a run that nobody heard of, a server that is suspended by then is so in the books', async () => {
  const staff = { token: await staffToken(site) };
  const suspend = () => data('staff/suspend', { uuid, reason: 'abuse' }, staff);
  const unsuspend = () => data('staff/unsuspend', { uuid, reason: 'abuse' }, staff);
  const taskOf = async (task: string) => (await data('task/details', { uuid: task }, { token })).task.state;

  await planFault(site.sandbox, { command: 'ensure_machine', fault: 'timeout_after', serverId: uuid });
  const { task, password } = await reinstall({ os: 'rocky-10' });
  await assert.rejects(site.run(reinstallJob, { server_id: uuid }));
  await suspend();
  await planFault(site.sandbox, { command: 'list', fault: 'timeout_before', host: 'fra-epyc' });
  await assert.rejects(site.run(reinstallJob, { server_id: uuid }));
  await site.run(reinstallJob, { server_id: uuid });
  await site.work();
  assert.equal(await taskOf(task.uuid), 'succeeded');
  assert.equal((await machine())?.power, 'stopped');
  const shown = await config();
  assert.deepEqual([shown.os.name, shown.password], ['rocky-10', password]);
  await unsuspend();
  await site.work();
  assert.equal((await machine())?.power, 'running');

  await writeFile();
  const other = await reinstall();
  await suspend();
  await site.work();
  assert.equal(await taskOf(other.task.uuid), 'cancelled');
  assert.deepEqual((await machine())?.files, ['notes'], 'nothing is begun while it is suspended');
  assert.equal((await config()).os.name, 'rocky-10');
  await unsuspend();
  await site.work();
});
