import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staffToken } from '../../../../test/requests.ts';
import { openSizedServers } from '../../../../test/sized-server.ts';
import { planFault } from '../../../drivers/hypervisor/sandbox/fault.ts';
import keepOff from './keep-off.job.ts';

const site = await openSizedServers();
const staff = { token: await staffToken(site) };

test('a suspended server is off soon after its node is back, however long that was away', async () => {
  const { uuid } = await site.ordered();
  const other = await site.ordered();
  await planFault(site.sandbox, {
    command: 'ensure_power',
    fault: 'timeout_before',
    serverId: uuid,
    times: 1_000,
  });
  await site.data('staff/suspend', { uuid, reason: 'abuse' }, staff);
  await site.work();
  assert.equal((await site.machine(uuid)).power, 'running');
  // As often as a job is tried.
  await site.queue.query('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
  await site.work();
  assert.equal((await site.machine(uuid)).power, 'running');
  await site.pool.pg.query('DELETE FROM sandbox.faults');
  await site.run(keepOff);
  await site.work();
  assert.equal((await site.machine(uuid)).power, 'stopped');
  await site.run(keepOff);
  const { rows } = await site.queue.query(
    'SELECT key FROM graphile_worker._private_jobs WHERE attempts < max_attempts',
  );
  assert.deepEqual(rows, [], 'then there is nothing left to do');
  assert.equal((await site.machine(other.uuid)).power, 'running');
});
