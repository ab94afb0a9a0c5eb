// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';
import passwordJob from '../../business/servers/changes/password.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';
import { isLogin } from '../../drivers/hypervisor/sandbox/password.ts';

const site = await openServers(({ operating_systems }) => {
  const [system] = operating_systems;
  if (system === undefined) throw new Error('a system');
  operating_systems.push({ ...system, name: 'plain', license_price: 0, min_memory: 512, cloud_init: false });
});
const { call, data, refused } = openRequests(site, { ports: { ...site.ports, registry: {} } as never });
const who = await site.customer(100_000n);
const token = who.secret;
const { server_uuid: uuid, config: ordered } = await site.order(who);
await site.work();

async function change(more: object = {}) {
  const received = await call('server/password', { uuid, ...more }, { token });
  assert.equal(received.status, 202, received.text);
  return received.body.data;
}

const stateOf = async (task: { uuid: string }) =>
  (await data('task/details', { uuid: task.uuid }, { token })).task.state;
const shown = async () => (await data('server/config', { uuid }, { token })).config.password;

async function opens(password: string): Promise<boolean> {
  const { rows } = await site.sandbox.pg.query(
    'SELECT login_hash FROM sandbox.machines WHERE server_id = $1',
    [uuid],
  );
  return await isLogin(rows[0]?.login_hash, 'root', password);
}

async function power(action: string) {
  await call('server/power', { uuid, action }, { token });
  await site.work();
}

test('a refused change leaves the initial password as it is', async () => {
  await planFault(site.sandbox, { command: 'ensure_password', fault: 'refuse', serverId: uuid });
  const { task } = await change();
  await site.work();
  assert.equal(await stateOf(task), 'failed');
  assert.equal(await shown(), ordered.password);
  assert.ok(await opens(ordered.password ?? ''));
});

test('a change whose answer was lost before a suspension leaves no password shown that may not hold', async () => {
  const { server_uuid: other } = await site.order(who);
  await site.work();
  const staff = { token: await staffToken(site) };
  const password = async () => (await data('server/config', { uuid: other }, { token })).config.password;
  const suspend = (state: 'suspend' | 'unsuspend') =>
    data(`staff/${state}`, { uuid: other, reason: 'abuse' }, staff);

  const untouched = await change({ uuid: other });
  await suspend('suspend');
  await site.work();
  assert.equal(await stateOf(untouched.task), 'cancelled');
  assert.notEqual(await password(), '', 'nothing had begun');
  await suspend('unsuspend');
  await site.work();

  await planFault(site.sandbox, { command: 'ensure_password', fault: 'timeout_after', serverId: other });
  await change({ uuid: other });
  await assert.rejects(site.run(passwordJob, { server_id: other }));
  await suspend('suspend');
  await site.run(passwordJob, { server_id: other });
  assert.equal(await password(), '');
  await suspend('unsuspend');
  await site.work();
});

test('a password that is made here is shown once, and opens the server; the initial one is forgotten', async () => {
  const { password, method, requires_reboot, username, task } = await change();
  assert.deepEqual([method, requires_reboot, username], ['guest_agent', false, 'root']);
  assert.match(password, /^[A-Za-z2-9]{20}$/);
  await site.work();
  assert.equal(await stateOf(task), 'succeeded');
  assert.equal(await shown(), '');
  assert.ok(await opens(password));
});

test('a password of one’s own is not repeated in the answer', async () => {
  const { password } = await change({ password: 'a password of mine' });
  assert.equal(password, null);
  await site.work();
  assert.ok(await opens('a password of mine'));
});

test('without a running system it comes by cloud-init, and the server need not be restarted', async () => {
  await power('stop');
  await refused('server_not_running', 'server/password', { uuid, method: 'guest_agent' }, { token });
  const { password, method, requires_reboot } = await change();
  assert.deepEqual([method, requires_reboot], ['cloud_init', false]);
  await site.work();
  assert.ok(await opens(password));
  await power('start');
});

test('a running server is restarted for cloud-init, when that was said', async () => {
  const asked = { uuid, method: 'cloud_init' };
  const { errors } = await refused('validation_failed', 'server/password', asked, { token });
  assert.equal(errors[0].pointer, '/reboot');
  const reboots = async () => {
    const { rows } = await site.sandbox.pg.query(
      'SELECT reboots FROM sandbox.machines WHERE server_id = $1',
      [uuid],
    );
    return rows[0]?.reboots;
  };
  const before = await reboots();
  await planFault(site.sandbox, { command: 'ensure_rebooted', fault: 'timeout_after', serverId: uuid });
  const { password, requires_reboot, task } = await change({ method: 'cloud_init', reboot: true });
  assert.equal(requires_reboot, true);
  await site.work();
  await site.queue.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
  await site.work();
  assert.equal(await stateOf(task), 'succeeded');
  assert.equal(await reboots(), before + 1);
  assert.ok(await opens(password));
});

test('a machine that does not say what works there has no password changed by guessing', async () => {
  await planFault(site.sandbox, { command: 'status', fault: 'timeout_before', serverId: uuid });
  await refused('backend_unavailable', 'server/password', { uuid }, { token });
});

test('a system without cloud-init and guest agent is said to have neither', async () => {
  await power('pause');
  await site.pool.pg.query("UPDATE servers SET os = 'plain' WHERE id = $1", [uuid]);
  const body = await refused(
    'not_supported_by_backend',
    'server/password',
    { uuid, reboot: true },
    { token },
  );
  assert.equal(body.capability, 'cloud_init');
});
