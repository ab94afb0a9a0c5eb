import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { openNameServer } from '../../../../test/name-server.ts';
import { systemClock } from '../../../base/clock.ts';
import type { DelegationSigner } from '../../../base/delegation-signer.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { DnsResolver } from '../../resolver/dns/resolver.ts';
import { SandboxDns } from '../sandbox/dns.ts';
import { type SandboxServer, startSandboxServer } from '../sandbox/server.ts';
import { InternetDelegation } from './internet.ts';

const ZONE = 'asked.example';
const DEADLINE_MS = 60_000;
const host = (hostname: string, ipv4: readonly string[] = []) => ({ hostname, ipv4, ipv6: [] });
const { server: resolver } = await openNameServer({
  'ns1.example.net A': ['127.0.0.1'],
  'ns1.example.net AAAA': [],
  'inside.example.net A': ['127.0.0.1', '10.0.0.1'],
  'inside.example.net AAAA': [],
  'silent.example.net A': ['127.0.0.2'],
  'silent.example.net AAAA': [],
});

let database: TestDatabase;
let db: Pool;
let server: SandboxServer;
let ds: readonly DelegationSigner[];

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  server = await startSandboxServer(
    { address: '127.0.0.1', port: 0 },
    { db, clock: systemClock, onError: (error) => assert.fail(String(error)) },
  );
  const dns = new SandboxDns({ db, clock: systemClock, server });
  const made = await dns.ensureZone({
    zone: ZONE,
    rrsets: [],
    nameservers: ['ns1.example.net'],
    dnssec: true,
  });
  assert.equal(made.kind, 'done');
  ds = made.kind === 'done' ? made.result.ds : [];
});
after(async () => {
  await server.close();
  await db.end();
  await database.drop();
});

const open = () =>
  new InternetDelegation({
    resolver: new DnsResolver([resolver]),
    permits: (address) => address.startsWith('127.'),
    port: server.port,
  });

test('a name server that has the zone says so, with its serial, and with its key for the DS', async () => {
  const nameservers = [host('ns1.example.net'), host('ns2.asked.example', ['127.0.0.1'])];
  const reports = await open().inspect({ zone: ZONE, nameservers, ds }, DEADLINE_MS);
  assert.equal(ds.length > 0, true);
  for (const report of reports) {
    assert.deepEqual([report.resolves, report.authoritative, report.hasKey], [true, true, true]);
    assert.ok((report.soaSerial ?? 0) > 0 && (report.latencyMs ?? -1) >= 0);
  }
});

test('a DS of another key is told apart', async () => {
  const others = ds.map((signer) => ({ ...signer, digest: signer.digest.replace(/./g, '0') }));
  const [report] = await open().inspect(
    { zone: ZONE, nameservers: [host('ns1.example.net')], ds: others },
    DEADLINE_MS,
  );
  assert.deepEqual([report?.authoritative, report?.hasKey], [true, false]);
});

test('one that does not have the zone, or does not answer, or is not there, is no authority', async () => {
  const nameservers = ['silent.example.net', 'missing.example.net'].map((name) => host(name));
  const [other] = await open().inspect(
    { zone: 'another.example', nameservers: [host('ns1.example.net')], ds },
    DEADLINE_MS,
  );
  assert.deepEqual([other?.resolves, other?.authoritative, other?.soaSerial], [true, false, null]);
  const [silent, missing] = await open().inspect({ zone: ZONE, nameservers, ds }, 6_000);
  assert.deepEqual([silent?.resolves, silent?.authoritative, silent?.latencyMs], [true, false, null]);
  assert.deepEqual([missing?.resolves, missing?.authoritative], [false, false]);
});

test('a name that leads inside, too, is asked nowhere, nor is an address that is given (rule A11)', async () => {
  const nameservers = [host('inside.example.net'), host('ns1.asked.example', ['10.0.0.1'])];
  const reports = await open().inspect({ zone: ZONE, nameservers, ds: [] }, DEADLINE_MS);
  assert.deepEqual(
    reports.map(({ resolves, latencyMs }) => [resolves, latencyMs]),
    [
      [false, null],
      [false, null],
    ],
  );
});
