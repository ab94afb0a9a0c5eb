import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';
import sample from '../../business/servers/metrics/sample-metrics.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';

const site = await openServers();
const { data } = openRequests(site, { ports: { ...site.ports, registry: {} } as never });
const who = await site.customer(100_000n);
const token = who.secret;
const order = await site.order(who);
const uuid = order.server_uuid;

test('before its machine is made, a server is pending, its power unknown, and its task is shown', async () => {
  const status = await data('server/status', { uuid }, { token });
  assert.equal(status.state, 'pending');
  assert.equal(status.power_state, 'unknown');
  assert.equal(status.task.uuid, order.task.uuid);
  assert.equal(status.task.state, 'queued');
  assert.equal(status.lock, null);
});

test('a running server says what its hypervisor says', async () => {
  await site.work();
  site.clock.set(site.clock.now().add({ minutes: 5 }));
  const status = await data('server/status', { uuid }, { token });
  assert.equal(status.state, 'active');
  assert.equal(status.state_text, 'Active');
  assert.equal(status.power_state, 'running');
  assert.equal(status.uptime, 300);
  assert.equal(status.task, null);
  assert.equal(status.usage.memory_total, 2048);
  assert.equal(status.usage.disk_total, 40);
  assert.ok(status.usage.memory_used > 0 && status.usage.memory_used < 2048);
  assert.equal(status.traffic.used, 0);
  assert.equal(status.traffic.period_end, order.expire_at);
  assert.equal(status.sampled_at, '2027-01-15 12:05:00');
});

test('without an answer the figures are those of the last minutes, and say so', async () => {
  site.clock.set(site.clock.now().add({ minutes: 1 }));
  await site.run(sample);
  site.clock.set(site.clock.now().add({ minutes: 1 }));
  await site.run(sample);
  const known = await data('server/status', { uuid }, { token });
  assert.ok(known.traffic.used > 0 && known.traffic.used < known.usage.net_in + known.usage.net_out);
  site.clock.set(site.clock.now().add({ minutes: 4 }));
  await planFault(site.sandbox, { command: 'status', fault: 'timeout_before', serverId: uuid });
  const status = await data('server/status', { uuid }, { token });
  assert.equal(status.power_state, 'unknown');
  assert.equal(status.sampled_at, known.sampled_at);
  assert.equal(status.usage.net_out, known.usage.net_out);
  assert.equal(status.usage.memory_used, known.usage.memory_used);
  site.clock.set(site.clock.now().add({ minutes: 2 }));
});

test('a hypervisor that does not answer in time is no error: the power is unknown', async () => {
  await planFault(site.sandbox, { command: 'status', fault: 'timeout_before', serverId: uuid });
  const status = await data('server/status', { uuid }, { token });
  assert.equal(status.state, 'active');
  assert.equal(status.power_state, 'unknown');
  assert.equal(status.uptime, 0);
});

test('a machine that is not there is unknown, not stopped', async () => {
  await site.pool.pg.query('DELETE FROM sandbox.machines WHERE server_id = $1', [uuid]);
  assert.equal((await data('server/status', { uuid }, { token })).power_state, 'unknown');
});

test('a suspension is a lock', async () => {
  await site.pool.pg.query(
    "INSERT INTO suspensions (service_id, reason, since) VALUES ($1, 'unpaid', '2027-01-15T12:00:00Z')",
    [uuid],
  );
  assert.deepEqual((await data('server/status', { uuid }, { token })).lock, {
    reason: 'suspended',
    since: '2027-01-15 12:00:00',
    task_uuid: null,
  });
});
