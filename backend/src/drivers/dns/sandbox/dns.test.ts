import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dnsContract } from '../../../../test/contracts/dns.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { dig } from '../../../../test/dig.ts';
import { systemClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { BackendUnavailable } from '../../outcome.ts';
import { askByTcp, askByUdp } from '../question.ts';
import { SandboxDns } from './dns.ts';
import { planDnsFault } from './fault.ts';
import { type SandboxServer, startSandboxServer } from './server.ts';

const NAMESERVERS = ['ns1.dns.example', 'ns2.dns.example'];

let database: TestDatabase;
let db: Pool;
let server: SandboxServer;

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  server = await startSandboxServer(
    { address: '127.0.0.1', port: 0 },
    { db, clock: systemClock, onError: (error) => assert.fail(String(error)) },
  );
});
after(async () => {
  await server.close();
  await db.end();
  await database.drop();
});

dnsContract('sandbox', async () => ({
  driver: new SandboxDns({ db, clock: systemClock, server }),
  nameservers: NAMESERVERS,
  ask: (name, type, transport) =>
    (transport === 'tcp' ? askByTcp : askByUdp)(server, { name, type }, AbortSignal.timeout(60_000)),
  dig: async (...args) => (await dig(server, '+short', ...args)).toSorted(),
  fail: (zone, command, fault) => planDnsFault(db, { command, fault, zone }),
  async close() {},
}));

test('a planned fault meets as many calls as it says, of whatever zone, and then none', async () => {
  const driver = new SandboxDns({ db, clock: systemClock, server });
  await planDnsFault(db, { command: 'list', fault: 'timeout_before', times: 2 });
  await assert.rejects(driver.list(), BackendUnavailable);
  await assert.rejects(driver.list(), BackendUnavailable);
  await driver.list();
  await planDnsFault(db, { command: 'ensure_absent', fault: 'refuse', zone: 'refused.example' });
  assert.equal((await driver.ensureAbsent('refused.example')).kind, 'refused');
});

test('where no server is to run, all there is to be asked are the books', async () => {
  const driver = new SandboxDns({ db, clock: systemClock, server: null });
  await driver.ensureZone({ zone: 'dark.example', rrsets: [], nameservers: NAMESERVERS, dnssec: false });
  const { nameserversTotal, nameserversCurrent } = (await driver.publication('dark.example', 1_000)) ?? {};
  assert.deepEqual([nameserversTotal, nameserversCurrent], [2, 2]);
});
