import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { openSizedServers } from '../../../../test/sized-server.ts';
import { setSafeMode } from '../../../work/safe-mode.ts';
import reconcile from '../machine/reconcile.job.ts';

const site = await openSizedServers();
const { pool, clock } = site;
beforeEach(() => pass());

function pass(): void {
  clock.set(clock.now().add({ minutes: 10 }));
}

async function compared(): Promise<void> {
  pass();
  await site.run(reconcile);
  await site.work();
}

async function switchOffInside(uuid: string): Promise<void> {
  await pool.pg.query(
    "UPDATE sandbox.machines SET power = 'stopped', booted_at = NULL, powered_off = true WHERE server_id = $1",
    [uuid],
  );
}

async function powerOf(uuid: string) {
  const { rows } = await pool.pg.query<{ wanted: string; booked: string; machine: string }>(
    `SELECT v.wanted_power AS wanted, v.power_state AS booked, m.power AS machine
     FROM servers v JOIN sandbox.machines m ON m.server_id = v.id WHERE v.id = $1`,
    [uuid],
  );
  return rows[0];
}

async function events(uuid: string): Promise<unknown[]> {
  const { rows } = await pool.pg.query<{ body: unknown }>(
    "SELECT body FROM events WHERE type = 'server.power_changed' AND resource_id = $1 ORDER BY sequence",
    [uuid],
  );
  return rows.map((row) => row.body);
}

async function differences(): Promise<unknown[]> {
  const { rows } = await pool.pg.query('SELECT kind, subject FROM discrepancies WHERE resolved_at IS NULL');
  return rows;
}

const on = { wanted: 'running', booked: 'running', machine: 'running' };
const off = { wanted: 'stopped', booked: 'stopped', machine: 'stopped' };
const told = { action: 'shutdown', power_state: 'stopped', forced: false };

test('servers that their own systems switched off stay off, however many at once, until their customers start them', async () => {
  const servers = [await site.ordered(), await site.ordered(), await site.ordered()] as const;
  for (const { uuid } of servers) await switchOffInside(uuid);
  await compared();
  await compared();
  for (const { uuid } of servers) {
    assert.deepEqual(await powerOf(uuid), off);
    assert.deepEqual(await events(uuid), [told]);
  }
  assert.deepEqual(await differences(), []);
  const [{ uuid, token }] = servers;
  await site.changed('server/power', { uuid, action: 'start' }, token);
  await compared();
  assert.deepEqual(await powerOf(uuid), on);
});

test('a server whose machine crashed, or went with its node, is started again', async () => {
  const { uuid } = await site.ordered();
  await switchOffInside(uuid);
  await pool.pg.query('UPDATE sandbox.machines SET powered_off = false WHERE server_id = $1', [uuid]);
  await compared();
  assert.deepEqual(await powerOf(uuid), on);
  assert.deepEqual(await events(uuid), []);
});

test('a server that its customer starts after its machine was seen to be off stays on', async () => {
  const { uuid, token } = await site.ordered();
  await switchOffInside(uuid);
  const { hypervisor } = site.ports;
  const ports = {
    ...site.ports,
    hypervisor: {
      ...hypervisor,
      async list(host: string) {
        const seen = await hypervisor.list(host);
        const { machines } = seen;
        if (machines.some(({ serverId }) => serverId === uuid))
          await site.changed('server/power', { uuid, action: 'start' }, token);
        return seen;
      },
    },
  };
  await site.run(reconcile, {}, { ports });
  await site.work();
  assert.deepEqual((await events(uuid)).length, 1, 'of the start');
  assert.deepEqual((await powerOf(uuid))?.machine, 'running');
  await compared();
  assert.deepEqual(await powerOf(uuid), on);
});

test('a server whose start had begun before its machine was seen to be off stays on', async () => {
  const { uuid, token } = await site.ordered();
  await switchOffInside(uuid);
  pass();
  await site.begin('server/power', { uuid, action: 'start' }, token);
  const { hypervisor } = site.ports;
  const ports = {
    ...site.ports,
    hypervisor: {
      ...hypervisor,
      async list(host: string) {
        const seen = await hypervisor.list(host);
        // The books say of a task when the run began that ended it.
        const now = clock.now();
        clock.set(now.subtract({ seconds: 1 }));
        await site.work();
        clock.set(now);
        return seen;
      },
    },
  };
  await site.run(reconcile, {}, { ports });
  await site.work();
  assert.equal((await events(uuid)).length, 1, 'of the start');
  assert.deepEqual((await powerOf(uuid))?.machine, 'running');
  await compared();
  assert.deepEqual(await powerOf(uuid), on);
});

test('a suspended server whose own system switched it off runs again when it is not suspended any more', async () => {
  const { uuid } = await site.ordered();
  await switchOffInside(uuid);
  await pool.pg.query("UPDATE services SET state = 'suspended' WHERE id = $1", [uuid]);
  await compared();
  assert.equal((await powerOf(uuid))?.wanted, 'running');
  assert.deepEqual(await events(uuid), []);
});

test('in safe mode a machine that its own system switched off is reported, and the books do not follow it', async () => {
  const { uuid } = await site.ordered();
  await switchOffInside(uuid);
  await setSafeMode(pool, true, clock.now());
  await compared();
  assert.deepEqual(await differences(), [{ kind: 'power_differs', subject: uuid }]);
  assert.deepEqual(await events(uuid), []);
  await setSafeMode(pool, false, clock.now());
  await compared();
  assert.deepEqual(await powerOf(uuid), off);
  assert.deepEqual(await differences(), []);
});
