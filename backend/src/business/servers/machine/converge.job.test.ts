import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests, staffToken } from '../../../../test/requests.ts';
import { openServers } from '../../../../test/servers.ts';
import { host, smallDocument } from '../../../../test/small-catalog.ts';
import { transaction } from '../../../db/transaction.ts';
import { planFault } from '../../../drivers/hypervisor/sandbox/fault.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import type { Job } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { importCatalog } from '../../core/catalog/import.ts';
import { catalogFromDocument } from '../../core/catalog/schema/schema.ts';
import { syncInventories } from '../../products.ts';
import converge from './converge.job.ts';
import { convergenceJob } from './convergence.ts';
import provision from './provision.job.ts';
import removeDeleted from './remove-deleted.job.ts';

const site = await openServers();
const { pool } = site;
const { data } = openRequests(site);
const staff = { token: await staffToken(site) };

/** A customer's server that is there. */
async function provisioned(input: object = {}) {
  const who = await site.customer(10_000n);
  const ordered = await site.order(who, input);
  await site.work();
  return { who, id: ordered.server_uuid, orderId: ordered.order_id };
}

async function stateOf(id: string) {
  const { rows } = await pool.pg.query<{
    state: string;
    removed: boolean;
    secrets: boolean;
    addresses: number;
    quarantined: number;
    machine: string | null;
  }>(
    `SELECT s.state, v.removed_at IS NOT NULL AS removed,
       v.password_sealed IS NOT NULL OR v.user_data_sealed IS NOT NULL AS secrets,
       (SELECT count(*)::int FROM addresses a WHERE a.server_id = v.id) AS addresses,
       (SELECT power FROM sandbox.machines m WHERE m.server_id = v.id) AS machine
     FROM services s JOIN servers v ON v.id = s.id WHERE s.id = $1`,
    [id],
  );
  return rows[0];
}

const ON = { state: 'active', removed: false, secrets: true, addresses: 2, machine: 'running' };
const GONE = { state: 'deleted', removed: true, secrets: false, addresses: 0, machine: null };

/** What the books say of the service's state, as its life writes it. */
async function book(id: string, state: string): Promise<void> {
  await pool.pg.query('UPDATE services SET state = $2 WHERE id = $1', [id, state]);
}

async function enqueued(id: string): Promise<void> {
  await transaction(pool, (tx) => enqueue(tx, [convergenceJob(id)]));
}

/** The job with its command, or its end, as `step` makes it. */
function enforceWith(step: Partial<Extract<Job, { kind: 'command' }>>): Job {
  if (converge.kind !== 'command') assert.fail('it is a command job');
  return { ...converge, ...step };
}

test('a suspended server is stopped, and runs again when the last reason is lifted', async () => {
  const { id } = await provisioned();
  assert.deepEqual(await stateOf(id), ON);
  await data('staff/suspend', { uuid: id, reason: 'abuse' }, staff);
  await data('staff/suspend', { uuid: id, reason: 'legal' }, staff);
  await site.work();
  assert.deepEqual(await stateOf(id), { ...ON, state: 'suspended', machine: 'stopped' });
  await data('staff/unsuspend', { uuid: id, reason: 'abuse' }, staff);
  await site.work();
  assert.equal((await stateOf(id))?.machine, 'stopped');
  await data('staff/unsuspend', { uuid: id, reason: 'legal' }, staff);
  await site.work();
  assert.deepEqual(await stateOf(id), ON);
});

test('what its customer had stopped is not started by being switched on again', async () => {
  const { id } = await provisioned({ start: false });
  await data('staff/suspend', { uuid: id, reason: 'abuse' }, staff);
  await site.work();
  await data('staff/unsuspend', { uuid: id, reason: 'abuse' }, staff);
  await site.work();
  assert.equal((await stateOf(id))?.machine, 'stopped');
});

test('each state of the service has its machine, and only deletion takes it away', async () => {
  const { id } = await provisioned();
  for (const [state, machine] of [
    ['expired', 'stopped'],
    ['active', 'running'],
    ['cancelled', 'stopped'],
    ['cancel_scheduled', 'running'],
  ] as const) {
    await book(id, state);
    await site.run(converge, { server_id: id });
    assert.deepEqual(await stateOf(id), { ...ON, state, machine });
  }
  await book(id, 'deleted');
  await site.run(converge, { server_id: id });
  assert.deepEqual(await stateOf(id), GONE);
  assert.deepEqual(await site.stockProblems(), []);
});

test('the addresses of a deleted server go into quarantine, and its place is free', async () => {
  const { id } = await provisioned();
  const used = async () =>
    (await pool.pg.query<{ used: number }>('SELECT sum(cores_used)::int AS used FROM nodes')).rows[0]?.used ??
    0;
  const quarantined = async () =>
    (
      await pool.pg.query<{ count: number }>(
        "SELECT count(*)::int FROM addresses WHERE state = 'quarantine' AND released_at = $1",
        [site.clock.now().toString()],
      )
    ).rows[0]?.count ?? 0;
  const [cores, before] = [await used(), await quarantined()];
  await book(id, 'deleted');
  await site.run(converge, { server_id: id });
  assert.equal(await used(), cores - 1);
  assert.equal(await quarantined(), before + 2);
});

test('a crash between command and commit, a repetition, and several workers at once free the place once', async () => {
  const { id } = await provisioned();
  await book(id, 'deleted');
  const dying = enforceWith({
    async finish(...args) {
      if (converge.kind === 'command') await converge.finish(...args);
      throw new Error('killed before COMMIT');
    },
  });
  await assert.rejects(site.run(dying, { server_id: id }), /killed before COMMIT/);
  assert.deepEqual(await stateOf(id), { ...ON, state: 'deleted', machine: null });
  assert.deepEqual(await site.stockProblems(), []);
  await Promise.all([1, 2, 3, 4].map(() => site.run(converge, { server_id: id })));
  await site.run(converge, { server_id: id });
  assert.deepEqual(await stateOf(id), GONE);
  assert.deepEqual(await site.stockProblems(), []);
});

test('an unknown outcome is tried again, and a refused deletion frees nothing until it is done', async () => {
  const { id } = await provisioned();
  await book(id, 'deleted');
  await planFault(site.sandbox, { command: 'ensure_absent', fault: 'timeout_after', serverId: id });
  await assert.rejects(site.run(converge, { server_id: id }), BackendUnavailable);
  await planFault(site.sandbox, { command: 'ensure_absent', fault: 'refuse', serverId: id });
  await site.run(converge, { server_id: id });
  assert.deepEqual([(await stateOf(id))?.removed, (await stateOf(id))?.addresses], [false, 2]);
  await site.run(removeDeleted);
  await site.work();
  assert.deepEqual(await stateOf(id), GONE);
  assert.deepEqual(await site.stockProblems(), []);
});

test('when the books change while the hypervisor works, their last word prevails', async () => {
  const { id } = await provisioned();
  await book(id, 'suspended');
  const overtaken = enforceWith({
    async command(...args) {
      // Paid for meanwhile, and already enforced by another worker, before this one's stop arrives.
      await book(id, 'active');
      await site.run(converge, { server_id: id });
      if (converge.kind !== 'command') assert.fail();
      return await converge.command(...args);
    },
  });
  await site.run(overtaken, { server_id: id });
  assert.equal((await stateOf(id))?.machine, 'stopped');
  await site.work();
  assert.deepEqual(await stateOf(id), ON);
});

test('a command to make the machine that arrives after its deletion leaves none', async () => {
  const who = await site.customer(10_000n);
  const ordered = await site.order(who);
  const [id, payload] = [ordered.server_uuid, { order_id: ordered.order_id }];
  if (provision.kind !== 'command') assert.fail();
  const { command } = provision;
  const late: Job = {
    ...provision,
    async command(...args) {
      await site.run(provision, payload);
      await book(id, 'deleted');
      await site.run(converge, { server_id: id });
      assert.deepEqual(await stateOf(id), GONE);
      return await command(...args);
    },
  };
  await site.run(late, payload);
  assert.equal((await stateOf(id))?.machine, 'running');
  await site.work();
  assert.deepEqual(await stateOf(id), GONE);
  assert.deepEqual(await site.stockProblems(), []);
});

test('provisioning that is run again brings nothing back', async () => {
  const { id, orderId } = await provisioned();
  for (const state of ['suspended', 'expired', 'cancelled', 'deleted']) {
    await book(id, state);
    await enqueued(id);
    await site.work();
    const before = await stateOf(id);
    await site.run(provision, { order_id: orderId });
    await site.work();
    assert.deepEqual(await stateOf(id), before, state);
  }
});

test('what is still being made, or unknown, is left alone', async () => {
  const who = await site.customer(10_000n);
  const { server_uuid: id } = await site.order(who);
  site.results.length = 0;
  await site.run(converge, { server_id: id });
  await site.run(converge, { server_id: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' });
  assert.deepEqual(
    site.results.map(({ result }) => result),
    ['nothing', 'nothing'],
  );
});

test('a host cannot leave the catalogue while a machine is on it, whatever became of its server', async () => {
  const { id } = await provisioned();
  const without = async () => {
    const document = {
      ...smallDocument(),
      hosts: [host('other', '198.19.0.0/22', '2001:db8:3000::/44')],
      server_packages: [],
    };
    const catalog = catalogFromDocument(document);
    // Only to be looked at: the other tests need their hosts.
    const outcome = await transaction(pool, async (tx) => {
      throw await importCatalog(tx, catalog, 'without', site.clock.now(), syncInventories);
    }).catch((tried: unknown) => tried);
    return outcome as Awaited<ReturnType<typeof importCatalog>>;
  };
  await pool.pg.query(
    `UPDATE services SET state = CASE id WHEN $1 THEN 'cancelled' ELSE 'deleted' END, ended_at = created_at`,
    [id],
  );
  await site.run(removeDeleted);
  await site.work();
  assert.deepEqual(await without(), { kind: 'in_use', items: ['host fra-epyc'] });
  await book(id, 'deleted');
  await site.run(converge, { server_id: id });
  assert.equal((await without()).kind, 'imported');
});
