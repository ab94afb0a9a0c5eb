import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { openServers } from '../../../../test/servers.ts';
import { transaction } from '../../../db/transaction.ts';
import { planFault } from '../../../drivers/hypervisor/sandbox/fault.ts';
import { enqueue } from '../../../work/queue.ts';
import { setSafeMode } from '../../../work/safe-mode.ts';
import { convergenceJob } from './convergence.ts';
import reconcile from './reconcile.job.ts';

const site = await openServers();
const { pool, clock } = site;
const who = await site.customer(1_000_000n);

/** Three running servers, and nothing that an earlier test left. */
let servers: string[] = [];
beforeEach(async () => {
  await pool.pg.query(`
    UPDATE services SET ended_at = '2027-01-01', state = 'deleted' WHERE ended_at IS NULL;
    UPDATE servers SET removed_at = '2027-01-01' WHERE removed_at IS NULL;
    DELETE FROM sandbox.machines; DELETE FROM sandbox.outages; DELETE FROM sandbox.faults;
    DELETE FROM discrepancies; DELETE FROM suspensions`);
  servers = [];
  for (let count = 0; count < 3; count += 1) servers.push((await site.order(who)).server_uuid);
  await site.work();
});

async function sandbox(sql: string, values: unknown[] = []): Promise<void> {
  await site.sandbox.pg.query(sql, values);
}

/** As the books have a deleted server whose machine was removed. */
async function removed(serverId: string | undefined): Promise<void> {
  await pool.pg.query("UPDATE services SET ended_at = '2027-01-01', state = 'deleted' WHERE id = $1", [
    serverId,
  ]);
  await pool.pg.query("UPDATE servers SET removed_at = '2027-01-01' WHERE id = $1", [serverId]);
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

test('the machine of a server that is off is neither started nor a difference; one that runs is reported', async () => {
  const off = ['suspended', 'expired', 'cancelled'];
  for (const [index, state] of off.entries()) {
    await pool.pg.query('UPDATE services SET state = $2 WHERE id = $1', [servers[index], state]);
    await sandbox("UPDATE sandbox.machines SET power = 'stopped', booted_at = NULL WHERE server_id = $1", [
      servers[index],
    ]);
  }
  await reconciled();
  for (const id of servers) assert.deepEqual(await powerOf(id), { booked: 'stopped', machine: 'stopped' });
  assert.deepEqual(await open(), []);
  await sandbox(
    "UPDATE sandbox.machines SET power = 'running', booted_at = created_at WHERE server_id = $1",
    [servers[0]],
  );
  await reconciled();
  assert.deepEqual(await powerOf(servers[0]), { booked: 'running', machine: 'running' });
  assert.deepEqual(await open(), [{ kind: 'power_differs', subject: servers[0] }]);
});

test('a server that is switched off while its machine is started is stopped again', async () => {
  const [id] = servers;
  await sandbox("UPDATE sandbox.machines SET power = 'stopped', booted_at = NULL WHERE server_id = $1", [id]);
  const { hypervisor } = site.ports;
  const ports = {
    ...site.ports,
    hypervisor: {
      ...hypervisor,
      async ensurePower(...args: Parameters<typeof hypervisor.ensurePower>) {
        await pool.pg.query("UPDATE services SET state = 'suspended' WHERE id = $1", [id]);
        return await hypervisor.ensurePower(...args);
      },
    },
  };
  await site.run(reconcile, {}, { ports });
  assert.equal((await powerOf(id))?.machine, 'running');
  await site.work();
  assert.deepEqual(await powerOf(id), { booked: 'stopped', machine: 'stopped' });
});

test('while a job waits that makes a machine follow the books, or removes it, nothing is said about it', async () => {
  await pool.pg.query("UPDATE services SET state = 'suspended' WHERE id = $1", [servers[0]]);
  await transaction(pool, (tx) => enqueue(tx, [convergenceJob(servers[0] ?? '')]));
  await pool.pg.query("UPDATE services SET state = 'deleted', ended_at = '2027-01-01' WHERE id = $1", [
    servers[1],
  ]);
  await reconciled();
  assert.deepEqual(await open(), []);
  await site.work();
  await reconciled();
  assert.deepEqual(await open(), []);
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
  await removed(servers[0]);
  await reconciled();
  assert.deepEqual(await open(), [{ kind: 'machine_unknown', subject: stranger }]);
  assert.equal((await site.machines()).length, 3);
});

test('the machine of a server that has ended is reported and never removed', async () => {
  await removed(servers[0]);
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

test('whatever differs, hypervisors are told nothing but to start what should run (rule C3)', async () => {
  const differences = {
    machine_missing: 'DELETE FROM sandbox.machines WHERE server_id = $1',
    machine_unknown: `WITH ended AS (UPDATE services SET ended_at = '2027-01-01', state = 'deleted' WHERE id = $1)
      UPDATE servers SET removed_at = '2027-01-01' WHERE id = $1`,
    power_differs: "UPDATE sandbox.machines SET power = 'stopped', booted_at = NULL WHERE server_id = $1",
    size_differs: 'UPDATE sandbox.machines SET cores = cores + 1, memory = memory * 2 WHERE server_id = $1',
    generation_differs: 'UPDATE sandbox.machines SET generation = 9 WHERE server_id = $1',
    machine_elsewhere: "UPDATE sandbox.machines SET node = 'fra-epyc-02' WHERE server_id = $1",
  };
  for (const [kind, differ] of Object.entries(differences)) {
    const { server_uuid: id } = await site.order(who);
    await site.work();
    await sandbox(differ, [id]);
    const told: unknown[][] = [];
    const hypervisor = new Proxy(site.ports.hypervisor, {
      get:
        (target, name) =>
        async (...args: unknown[]) => {
          if (name !== 'list') told.push([name, ...args]);
          return await Reflect.apply(Reflect.get(target, name), target, args);
        },
    });
    await site.run(reconcile, {}, { ports: { ...site.ports, hypervisor } });
    const machine = { serverId: id, host: 'fra-epyc', node: 'fra-epyc-01' };
    assert.deepEqual(told, kind === 'power_differs' ? [['ensurePower', machine, 'running']] : [], kind);
    await sandbox('DELETE FROM sandbox.machines WHERE server_id <> ALL($1::uuid[])', [servers]);
    await removed(id);
  }
});
