import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';
import sample from '../../business/servers/metrics/sample-metrics.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';

const site = await openServers();
const { data } = openRequests(site, { ports: site.ports as never });
const staff = { token: await staffToken(site) };
const who = await site.customer(100_000n);
await site.order(who);
await site.work();

test('a node says what is sold, used and there', async () => {
  site.clock.set(site.clock.now().add({ minutes: 1 }));
  await site.run(sample);
  const { hosts, total } = await data('staff/hosts', {}, staff);
  assert.equal(total, 2);
  const [node] = hosts.find(({ name }: { name: string }) => name === 'fra-epyc').nodes;
  assert.deepEqual([node.name, node.active, node.servers, node.running], ['fra-epyc-01', true, 1, 1]);
  assert.deepEqual(node.sellable, { cores: 64, memory: 262_144, disk: 4_000 });
  assert.deepEqual(node.sold, { cores: 1, memory: 2_048, disk: 40 });
  assert.equal(node.used.servers, 1);
  assert.ok(node.used.cores > 0 && node.used.cores < 1);
  assert.ok(node.used.memory > 0 && node.used.memory < 2_048);
  assert.ok(node.used.disk > 0 && node.used.disk < 40);
  assert.ok(node.hardware.cores > 0 && node.hardware.disk_free > 0);
});

test('what nobody tells is null', async () => {
  await planFault(site.sandbox, { command: 'capacity', fault: 'timeout_before', host: 'fra-epyc' });
  site.clock.set(site.clock.now().add({ minutes: 6 }));
  const { hosts } = await data('staff/hosts', { host: 'fra-epyc' }, staff);
  assert.deepEqual([hosts.length, hosts[0].answers], [1, false]);
  const [node] = hosts[0].nodes;
  assert.deepEqual([node.used, node.hardware, node.sold.cores], [null, null, 1]);
});
