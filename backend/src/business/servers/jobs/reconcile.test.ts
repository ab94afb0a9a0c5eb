import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { openServers } from '../../../../test/servers.ts';
import { planFault } from '../../../drivers/hypervisor/sandbox/fault.ts';
import { setSafeMode } from '../../../work/safe-mode.ts';
import reconcile from './reconcile.ts';

const site = await openServers();
const { pool, clock } = site;
const who = await site.customer(1_000_000n);

/** Three running servers, and nothing that an earlier test left. */
let servers: string[] = [];
beforeEach(async () => {
  await pool.pg.query(`
    UPDATE services SET ended_at = '2027-01-01', state = 'deleted' WHERE ended_at IS NULL;
    DELETE FROM sandbox.machines; DELETE FROM sandbox.outages; DELETE FROM sandbox.faults;
    DELETE FROM discrepancies; DELETE FROM suspensions`);
  servers = [];
  for (let count = 0; count < 3; count += 1) servers.push((await site.order(who)).server_uuid);
  await site.work();
});

async function sandbox(sql: string, values: unknown[] = []): Promise<void> {
  await site.sandbox.pg.query(sql, values);
}

async function reconciled(): Promise<void> {
  clock.set(clock.now().add({ minutes: 10 }));
  await site.run(reconcile);
}

async function open(): Promise<{ kind: string; subject: string }[]> {
  const { rows } = await pool.pg.query<{ kind: string; subject: string }>(
    'SELECT kind, subject FROM discrepancies WHERE resolved_at IS NULL ORDER BY kind, subject',
  );
  return rows;
}

async function powerOf(serverId: string | undefined) {
  const { rows } = await pool.pg.query<{ booked: string; machine: string | null }>(
    `SELECT v.power_state AS booked, m.power AS machine FROM servers v
     LEFT JOIN sandbox.machines m ON m.server_id = v.id WHERE v.id = $1`,
    [serverId],
  );
  return rows[0];
}

test('where books and machines agree, nothing is reported or changed', async () => {
  const before = await site.machines();
  await reconciled();
  assert.deepEqual(await open(), []);
  assert.deepEqual(await site.machines(), before);
});

test('a machine that should run and does not is started', async () => {
  await sandbox("UPDATE sandbox.machines SET power = 'stopped', booted_at = NULL WHERE server_id = $1", [
    servers[0],
  ]);
  await reconciled();
  assert.deepEqual(await powerOf(servers[0]), { booked: 'running', machine: 'running' });
  assert.deepEqual(await open(), []);
});

test('a machine that should not run and does is reported, not stopped', async () => {
  await pool.pg.query("UPDATE servers SET wanted_power = 'stopped' WHERE id = $1", [servers[0]]);
  await reconciled();
  assert.deepEqual(await powerOf(servers[0]), { booked: 'running', machine: 'running' });
  assert.deepEqual(await open(), [{ kind: 'power_differs', subject: servers[0] }]);
});

test('the machine of a suspended server is not started', async () => {
  await sandbox("UPDATE sandbox.machines SET power = 'stopped', booted_at = NULL WHERE server_id = $1", [
    servers[0],
  ]);
  await pool.pg.query("INSERT INTO suspensions (service_id, reason, since) VALUES ($1, 'abuse', $2)", [
    servers[0],
    clock.now().toString(),
  ]);
  await reconciled();
  assert.deepEqual(await powerOf(servers[0]), { booked: 'stopped', machine: 'stopped' });
  assert.deepEqual(await open(), [{ kind: 'power_differs', subject: servers[0] }]);
});

test('a machine that is missing is reported and never made again', async () => {
  await sandbox('DELETE FROM sandbox.machines WHERE server_id = $1', [servers[0]]);
  await reconciled();
  await reconciled();
  assert.deepEqual(await open(), [{ kind: 'machine_missing', subject: servers[0] }]);
  assert.equal((await powerOf(servers[0]))?.machine, null);
});

test('a machine that no books know is reported and never removed', async () => {
  const stranger = randomUUID();
  await sandbox('UPDATE sandbox.machines SET server_id = $2 WHERE server_id = $1', [servers[0], stranger]);
  await pool.pg.query("UPDATE services SET ended_at = '2027-01-01', state = 'deleted' WHERE id = $1", [
    servers[0],
  ]);
  await reconciled();
  assert.deepEqual(await open(), [{ kind: 'machine_unknown', subject: stranger }]);
  assert.equal((await site.machines()).length, 3);
});

test('the machine of a server that has ended is reported and never removed', async () => {
  await pool.pg.query("UPDATE services SET ended_at = '2027-01-01', state = 'deleted' WHERE id = $1", [
    servers[0],
  ]);
  await reconciled();
  assert.deepEqual(await open(), [{ kind: 'machine_unknown', subject: servers[0] }]);
  assert.equal((await site.machines()).length, 3);
});

test('another size, place or generation is reported and left as it is', async () => {
  const changes = {
    size_differs: 'disk = 41',
    machine_elsewhere: "node = 'other'",
    generation_differs: 'generation = 2',
  };
  for (const [kind, change] of Object.entries(changes)) {
    await sandbox('DELETE FROM sandbox.machines WHERE server_id <> ALL($1::uuid[])', [servers]);
    await pool.pg.query('DELETE FROM discrepancies');
    await sandbox(`UPDATE sandbox.machines SET disk = 40, node = 'fra-epyc-01', generation = 1`);
    await sandbox(`UPDATE sandbox.machines SET ${change} WHERE server_id = $1`, [servers[0]]);
    const before = await site.machines();
    await reconciled();
    assert.deepEqual(await open(), [{ kind, subject: servers[0] }]);
    assert.deepEqual(await site.machines(), before);
  }
});

test('what is put right is no discrepancy any more, and one that stays is one row', async () => {
  await sandbox('UPDATE sandbox.machines SET disk = 41 WHERE server_id = $1', [servers[0]]);
  await reconciled();
  await reconciled();
  const first = await pool.pg.query('SELECT resolved_at FROM discrepancies');
  assert.deepEqual(first.rows, [{ resolved_at: null }]);
  await sandbox('UPDATE sandbox.machines SET disk = 40 WHERE server_id = $1', [servers[0]]);
  await reconciled();
  assert.deepEqual(await open(), []);
});

test('a host out of reach is unknown: nothing is reported missing, started or closed', async () => {
  await sandbox('DELETE FROM sandbox.machines WHERE server_id = $1', [servers[0]]);
  await reconciled();
  await planFault(site.sandbox, { command: 'list', fault: 'timeout_before', times: 1, host: 'fra-epyc' });
  await reconciled();
  assert.deepEqual(await open(), [{ kind: 'machine_missing', subject: servers[0] }]);
  assert.equal((await powerOf(servers[1]))?.booked, 'unknown');
  await reconciled();
  assert.equal((await powerOf(servers[1]))?.booked, 'running');
});

test('a node out of reach is unknown: its machines are neither missing nor started elsewhere', async () => {
  await sandbox("INSERT INTO sandbox.outages VALUES ('fra-epyc', 'fra-epyc-01')");
  await reconciled();
  assert.deepEqual(await open(), []);
  assert.equal((await powerOf(servers[0]))?.booked, 'unknown');
  assert.equal((await site.machines()).length, 3);
});

test('more than one difference among a few servers: nothing is set right, and the operator is told', async () => {
  await sandbox("UPDATE sandbox.machines SET power = 'stopped', booted_at = NULL");
  await reconciled();
  assert.deepEqual(
    (await open()).map(({ kind }) => kind),
    ['power_differs', 'power_differs', 'power_differs', 'too_many_differences'],
  );
  assert.ok((await site.machines()).every((machine) => machine.power === 'stopped'));
  await sandbox(
    "UPDATE sandbox.machines SET power = 'running', booted_at = created_at WHERE server_id <> $1",
    [servers[0]],
  );
  await reconciled();
  assert.deepEqual(await open(), []);
  assert.ok((await site.machines()).every((machine) => machine.power === 'running'));
});

test('in safe mode nothing is set right', async () => {
  await setSafeMode(pool, true, clock.now());
  await sandbox("UPDATE sandbox.machines SET power = 'stopped', booted_at = NULL WHERE server_id = $1", [
    servers[0],
  ]);
  await reconciled();
  assert.deepEqual(await open(), [{ kind: 'power_differs', subject: servers[0] }]);
  assert.equal((await powerOf(servers[0]))?.machine, 'stopped');
  await setSafeMode(pool, false, clock.now());
});

test('a machine that cannot be started stays a difference', async () => {
  await sandbox("UPDATE sandbox.machines SET power = 'stopped', booted_at = NULL WHERE server_id = $1", [
    servers[0],
  ]);
  await planFault(site.sandbox, { command: 'ensure_power', fault: 'refuse' });
  await reconciled();
  assert.deepEqual(await open(), [{ kind: 'power_differs', subject: servers[0] }]);
  await reconciled();
  assert.deepEqual(await open(), []);
});

test('a server that is being worked on is left out', async () => {
  const { server_uuid } = await site.order(who);
  await reconciled();
  assert.deepEqual(await open(), []);
  await sandbox(
    `INSERT INTO sandbox.machines (server_id, host, node, generation, hostname, image, username, ssh_keys, cores,
       memory, disk, uplink, ipv4, ipv6, power, created_at)
     VALUES ($1, 'fra-epyc', 'fra-epyc-01', 1, 'a', 'a', 'a', '{}', 1, 1, 1, 1, '{}', '{}', 'stopped', '2027-01-01')`,
    [server_uuid],
  );
  await reconciled();
  assert.deepEqual(await open(), []);
});
