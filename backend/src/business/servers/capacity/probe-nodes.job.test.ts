import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { openRequests, staffToken } from '../../../../test/requests.ts';
import { openServers } from '../../../../test/servers.ts';
import { planFault } from '../../../drivers/hypervisor/sandbox/fault.ts';
import probeNodes from './probe-nodes.job.ts';

const site = await openServers();
const requests = openRequests(site, { ports: { ...site.ports, registry: {} } as never });
const staff = await staffToken(site);

beforeEach(healed);

async function healed(): Promise<void> {
  await site.sandbox.pg.query('DELETE FROM sandbox.faults');
}

/** No node can run machines. */
async function broken(): Promise<void> {
  await planFault(site.sandbox, { command: 'probe', fault: 'timeout_before', times: 1000 });
}

async function probed(): Promise<(string | null)[]> {
  site.clock.set(site.clock.now().add({ minutes: 1 }));
  await site.run(probeNodes);
  const { hosts } = await requests.data('staff/hosts', {}, { token: staff });
  return hosts.flatMap(({ nodes }: { nodes: { problem: string | null }[] }) =>
    nodes.map(({ problem }) => problem),
  );
}

test('a new node that cannot run machines is shown with why, and takes no server until it can', async () => {
  const who = await site.customer(100_000n);
  await broken();
  const problems = await probed();
  assert.ok(problems.length > 0);
  for (const problem of problems) assert.match(problem ?? '', /does not answer/);
  await assert.rejects(site.order(who), { code: 'out_of_stock' });
  assert.deepEqual(await site.stockProblems(), []);
  await healed();
  for (const problem of await probed()) assert.equal(problem, null);
  const { server_uuid: uuid } = await site.order(who);
  await site.work();
  assert.ok((await site.machines()).some(({ server_id }) => server_id === uuid));
});

test('a node that could is tried again after a day; an order that waited for it goes on at once', async () => {
  assert.deepEqual(new Set(await probed()), new Set([null]));
  await planFault(site.sandbox, { command: 'ensure_machine', fault: 'timeout_before', times: 1000 });
  const { order_id: orderId } = await site.order(await site.customer(100_000n));
  await site.work();
  await site.queue.query("UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour'");
  await broken();
  assert.deepEqual(new Set(await probed()), new Set([null]), 'it is not tried every minute');
  site.clock.set(site.clock.now().add({ hours: 24 }));
  assert.ok((await probed()).every((problem) => problem !== null));
  await healed();
  await probed();
  await site.work();
  const { rows } = await site.pool.pg.query('SELECT state FROM orders WHERE id = $1', [orderId]);
  assert.equal(rows[0]?.state, 'completed');
});
