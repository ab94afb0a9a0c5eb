import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type ContractSubject, hypervisorContract } from '../../../../test/contracts/hypervisor.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { SetClock } from '../../../base/clock.ts';
import { OPEN } from '../../../base/firewall.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { BackendUnavailable } from '../../outcome.ts';
import type { WantedMachine } from '../port.ts';
import { planFault } from './fault.ts';
import { SandboxHypervisor } from './hypervisor.ts';
import { isLogin } from './password.ts';

let database: TestDatabase;
let db: Pool;
const clock = new SetClock(Temporal.Instant.from('2026-11-20T12:00:00Z'));

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
});
after(async () => {
  await db.end();
  await database.drop();
});

function wanted(change: Partial<WantedMachine> = {}): WantedMachine {
  return {
    serverId: randomUUID(),
    host: 'fra-epyc',
    node: 'fra-epyc-01',
    generation: 1,
    hostname: 'web.example.com',
    image: 'debian-13',
    username: 'root',
    password: null,
    sshKeys: [],
    userData: null,
    cores: 2,
    memory: 2048,
    disk: 40,
    uplink: 1000,
    ipv4: [{ address: '198.18.0.7', gateway: '198.18.0.1' }],
    ipv6: [{ network: '2001:db8:1000:7::/64', gateway: 'fe80::1' }],
    power: 'running',
    ...change,
  };
}

async function subject(): Promise<ContractSubject> {
  const machines = (serverId: string) =>
    db.pg.query<{ files: string[]; login_hash: Buffer | null; medium: string | null; own_files: string[] }>(
      `SELECT CASE WHEN rescue_id IS NULL THEN files ELSE rescue_files END AS files, files AS own_files, medium,
         CASE WHEN rescue_id IS NULL THEN login_hash ELSE rescue_login_hash END AS login_hash
       FROM sandbox.machines WHERE server_id = $1`,
      [serverId],
    );
  return {
    driver: new SandboxHypervisor({ db, clock }),
    wanted,
    async writeFile({ serverId }, name) {
      await db.pg.query(
        `UPDATE sandbox.machines SET
           files = CASE WHEN rescue_id IS NULL THEN files || $2::text ELSE files END,
           rescue_files = CASE WHEN rescue_id IS NULL THEN rescue_files ELSE rescue_files || $2::text END
         WHERE server_id = $1`,
        [serverId, name],
      );
    },
    async hasFileOnSecondDisk({ serverId }, name) {
      return (await machines(serverId)).rows[0]?.own_files.includes(name) === true;
    },
    async firewall({ serverId }) {
      const { rows } = await db.pg.query('SELECT firewall FROM sandbox.machines WHERE server_id = $1', [
        serverId,
      ]);
      return rows[0]?.firewall ?? OPEN;
    },
    medium: async () => ({ name: 'debian-13-netinst', sha256: 'ab'.repeat(32), bootFirst: false }),
    async seesMedium({ serverId }, { name }) {
      return (await machines(serverId)).rows[0]?.medium === name;
    },
    async hasFile({ serverId }, name) {
      return (await machines(serverId)).rows[0]?.files.includes(name) === true;
    },
    async logsIn({ serverId }, username, password) {
      return isLogin((await machines(serverId)).rows[0]?.login_hash ?? null, username, password);
    },
    fail: ({ serverId }, fault) => planFault(db, { command: 'ensure_machine', fault, serverId }),
    started: async () => {},
    async close() {},
  };
}

hypervisorContract('sandbox', subject);

test('a planned fault meets as many calls as it says, in whichever process, and then none', async () => {
  const host = 'faulty';
  await planFault(db, { command: 'ensure_machine', fault: 'timeout_before', times: 2, host });
  const [one, other] = [new SandboxHypervisor({ db, clock }), new SandboxHypervisor({ db, clock })];
  const machine = wanted({ host });
  await assert.rejects(one.ensureMachine(machine), BackendUnavailable);
  await assert.rejects(other.ensureMachine(machine), BackendUnavailable);
  assert.equal((await one.ensureMachine(machine)).kind, 'done');
});

test('a fault that names a host or a machine leaves the others alone', async () => {
  const driver = new SandboxHypervisor({ db, clock });
  const [unlucky, lucky] = [wanted(), wanted()];
  await planFault(db, { command: 'ensure_machine', fault: 'refuse', serverId: unlucky.serverId });
  await planFault(db, { command: 'ensure_machine', fault: 'refuse', host: 'elsewhere' });
  assert.equal((await driver.ensureMachine(lucky)).kind, 'done');
  assert.equal((await driver.ensureMachine(unlucky)).kind, 'refused');
});

test('a slow command does its work after the delay; a slow status beyond the deadline is no answer', async () => {
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const driver = new SandboxHypervisor({ db, clock, wait });
  const machine = wanted();
  const { serverId } = machine;
  await planFault(db, { command: 'ensure_machine', fault: 'slow', delayMs: 30_000, serverId });
  assert.equal((await driver.ensureMachine(machine)).kind, 'done');
  await planFault(db, { command: 'status', fault: 'slow', delayMs: 3_000, times: 2, serverId });
  assert.equal((await driver.status(machine, 5_000))?.power, 'running');
  await assert.rejects(driver.status(machine, 2_000), BackendUnavailable);
  assert.deepEqual(waits, [30_000, 3_000, 2_000]);
});

test('a node that is out does not answer, and its machines are not listed as gone but as unknown', async () => {
  const driver = new SandboxHypervisor({ db, clock });
  const host = 'two-nodes';
  const [up, down] = [wanted({ host, node: 'up' }), wanted({ host, node: 'down' })];
  await driver.ensureMachine(up);
  await driver.ensureMachine(down);
  await db.pg.query("INSERT INTO sandbox.outages VALUES ('two-nodes', 'down')");
  const { machines, unreachableNodes } = await driver.list(host);
  assert.deepEqual(
    machines.map(({ serverId }) => serverId),
    [up.serverId],
  );
  assert.deepEqual(unreachableNodes, ['down']);
  await assert.rejects(driver.status(down, 1_000), BackendUnavailable);
  await assert.rejects(driver.ensurePower(down, 'stopped'), BackendUnavailable);
});

test('a disk is written once however often the command comes', async () => {
  const driver = new SandboxHypervisor({ db, clock });
  const machine = wanted();
  await planFault(db, { command: 'ensure_machine', fault: 'repeat', serverId: machine.serverId });
  await planFault(db, { command: 'ensure_machine', fault: 'timeout_after', serverId: machine.serverId });
  await driver.ensureMachine(machine);
  await assert.rejects(driver.ensureMachine(machine), BackendUnavailable);
  await Promise.all([driver.ensureMachine(machine), driver.ensureMachine(machine)]);
  const { rows } = await db.pg.query<{ installs: number }>(
    'SELECT installs FROM sandbox.machines WHERE server_id = $1',
    [machine.serverId],
  );
  assert.deepEqual(rows, [{ installs: 1 }]);
});

test('what a machine does follows from its id and the time alone', async () => {
  const driver = new SandboxHypervisor({ db, clock });
  const machine = wanted({ serverId: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' });
  await driver.ensureMachine(machine);
  const at = clock.now();
  clock.set(at.add({ hours: 1 }));
  const status = await driver.status(machine, 1_000);
  assert.equal(status?.uptimeSeconds, 3600);
  assert.deepEqual(status, await new SandboxHypervisor({ db, clock }).status(machine, 1_000));
  clock.set(at);
});
