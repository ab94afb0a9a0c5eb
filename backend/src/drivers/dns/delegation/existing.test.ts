// Slow: 10 s

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import packet from 'dns-packet';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { openNameServer } from '../../../../test/name-server.ts';
import { type NameServers, startNameServers } from '../../../../test/powerdns.ts';
import { systemClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { DnsResolver } from '../../resolver/dns/resolver.ts';
import type { ExistingZone, RrSet } from '../port.ts';
import { SandboxDns } from '../sandbox/dns.ts';
import { type SandboxServer, startSandboxServer } from '../sandbox/server.ts';
import { InternetDelegation } from './internet.ts';

const ZONE = 'existing.example';
const DEADLINE_MS = 60_000;
const set = (name: string, type: string, ...records: string[]): RrSet => ({
  name: name === '@' ? ZONE : `${name}.${ZONE}`,
  type,
  ttl: 300,
  records,
});
const RRSETS = [
  set('@', 'A', '192.0.2.1'),
  set('@', 'MX', `10 mx-eu.${ZONE}.`, '20 mx.example.net.'),
  set('@', 'TXT', '"v=spf1 -all"', `"${'x'.repeat(200)}" "${'y'.repeat(200)}"`),
  set('@', 'CAA', '0 issue "ca.example"'),
  set('www', 'CNAME', `${ZONE}.`),
  set('mx-eu', 'A', '192.0.2.25'),
  set('*', 'A', '192.0.2.99'),
  set('shop', 'A', '192.0.2.7'),
  set('s1._domainkey', 'TXT', '"v=DKIM1; p=MIGf"'),
  set('_imaps._tcp', 'SRV', `0 1 993 mx-eu.${ZONE}.`),
  set('warehouse-7', 'AAAA', '2001:db8::7'),
];

let database: TestDatabase;
let db: Pool;
let sandbox: SandboxServer;
let dns: SandboxDns;

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  sandbox = await startSandboxServer(
    { address: '127.0.0.1', port: 0 },
    { db, clock: systemClock, onError: (error) => assert.fail(String(error)) },
  );
  dns = new SandboxDns({ db, clock: systemClock, server: sandbox });
  await dns.ensureZone({ zone: ZONE, rrsets: RRSETS, nameservers: ['ns1.example.net'], dnssec: true });
});
after(async () => {
  await sandbox.close();
  await db.end();
  await database.drop();
});

/** Reads a zone whose name servers are at these addresses. */
async function read(
  zone: string,
  addresses: readonly string[],
  port: number,
  deadlineMs = DEADLINE_MS,
  permits = (address: string) => address.startsWith('127.'),
): Promise<ExistingZone> {
  const { server } = await openNameServer({
    [`${zone} NS`]: ['ns1.example.net'],
    'ns1.example.net A': addresses,
    'ns1.example.net AAAA': [],
  });
  const resolver = new DnsResolver([server]);
  return await new InternetDelegation({ resolver, permits, port }).existing(zone, deadlineMs);
}

const lines = ({ records }: ExistingZone) =>
  records.map(({ name, type, rdata }) => `${name} ${type} ${rdata}`).sort();
const expected = (rrsets: readonly RrSet[]) =>
  rrsets.flatMap(({ name, type, records }) => records.map((rdata) => `${name} ${type} ${rdata}`)).sort();

test('without a transfer, usual names are asked for, and those that they point to; a wildcard is one record', async () => {
  const found = await read(ZONE, ['127.0.0.1'], sandbox.port);
  assert.deepEqual(
    [found.source, found.complete, found.nameservers],
    ['questions', true, ['ns1.example.net']],
  );
  const unknown = `warehouse-7.${ZONE}`;
  assert.deepEqual(lines(found), expected(RRSETS.filter(({ name }) => name !== unknown)));
});

test('who does not have the zone, does not answer or may not be asked gives nothing, and says so', async () => {
  const other = await read('another.example', ['127.0.0.1'], sandbox.port);
  assert.deepEqual([other.source, other.records, other.complete], [null, [], false]);
  const begun = performance.now();
  const silent = await read(ZONE, ['127.0.0.2'], sandbox.port, 700);
  assert.deepEqual([silent.source, silent.complete], [null, false]);
  assert.ok(performance.now() - begun < 15_000);
  const inside = await read(ZONE, ['127.0.0.1', '10.0.0.1'], sandbox.port);
  assert.deepEqual(
    [inside.source, inside.records],
    [null, []],
    'a name that also leads inside is asked nowhere',
  );
  const none = await new InternetDelegation({
    resolver: { addresses: async () => [], nameservers: async () => [] },
  }).existing(ZONE, DEADLINE_MS);
  assert.deepEqual(none, { source: null, nameservers: [], records: [], complete: true });
});

test('a name server that answers once and then no more ends with the deadline, and what it said is told as a part', async () => {
  const shown: string[] = [];
  const half = await startSandboxServer(
    { address: '127.0.0.1', port: 0 },
    {
      db: {
        run: async (statement, values) => {
          shown.push(statement.name);
          if (shown.length > 60) return await new Promise(() => {});
          return await db.run(statement, values);
        },
      } as Pool,
      clock: systemClock,
      onError: () => {},
    },
  );
  after(() => half.close());
  const found = await read(ZONE, ['127.0.0.1'], half.port, 8_000);
  assert.deepEqual([found.source, found.complete], ['questions', false]);
});

test('a stream without an end is not read for ever, nor is what is no transfer', async () => {
  const { transferZone } = await import('./zone-transfer.ts');
  const answers = [Buffer.alloc(70_000, 0xff), Buffer.from([0, 1, 7]), Buffer.alloc(0)];
  for (const sent of answers) {
    const server = createServer((socket) => {
      socket.on('error', () => {}).on('data', () => socket.write(sent));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const signal = AbortSignal.timeout(300);
    assert.equal(await transferZone({ address: '127.0.0.1', port }, ZONE, signal), null);
    server.close();
  }
});

test('once a transfer is whole, those from the other name servers end', async (t) => {
  const soa: packet.Answer = { type: 'SOA', name: ZONE, data: { mname: 'a.', rname: 'b.', serial: 1 } };
  const host: packet.Answer = { type: 'A', name: `www.${ZONE}`, ttl: 300, data: '192.0.2.1' };
  const told = (query: Buffer, answers: packet.Answer[]) => {
    const { id = 0, questions = [] } = packet.decode(query);
    const flags = packet.AUTHORITATIVE_ANSWER;
    return packet.encode({ type: 'response', id, flags, questions, answers });
  };
  const ended = Promise.withResolvers<void>();
  let port = 0;
  for (const [address, transfer] of [
    ['127.0.0.1', [soa, host, soa]],
    ['127.0.0.3', [soa]],
  ] as const) {
    const stream = createServer((socket) => {
      if (transfer.length === 1) socket.on('close', () => ended.resolve());
      socket
        .on('error', () => {})
        .on('data', (query: Buffer) => {
          const message = told(query.subarray(2), [...transfer]);
          const length = Buffer.alloc(2);
          length.writeUInt16BE(message.length);
          socket.write(Buffer.concat([length, message]));
        });
    });
    await new Promise<void>((resolve) => stream.listen(port, address, resolve));
    port = (stream.address() as AddressInfo).port;
    const datagrams = createSocket('udp4');
    datagrams.on('message', (query, { port: to, address: from }) => {
      datagrams.send(told(query, [soa]), to, from);
    });
    await new Promise<void>((resolve) => datagrams.bind(port, address, resolve));
    t.after(() => {
      stream.close();
      datagrams.close();
    });
  }
  const found = await read(ZONE, ['127.0.0.3', '127.0.0.1'], port, 3_600_000);
  assert.deepEqual([found.source, lines(found)], ['transfer', [`www.${ZONE} A 192.0.2.1`]]);
  // Long before the time for transfers is over, which is more than this test has.
  await ended.promise;
});

test('a zone whose transfer is allowed is read whole, as PowerDNS gives it', async (t) => {
  const servers: NameServers = await startNameServers();
  t.after(() => servers.stop());
  const { PowerDns } = await import('../powerdns/dns.ts');
  const { primary, api } = servers;
  const nameservers = [{ hostname: 'ns1.example.net', addresses: [primary] }];
  const driver = new PowerDns({ ...api, clock: systemClock, nameservers, tsigKey: null, catalog: null });
  const many = Array.from({ length: 3_000 }, (_, at) => set(`host-${at}`, 'A', `198.51.100.${at % 250}`));
  const rrsets = [...RRSETS, ...many];
  await driver.ensureZone({ zone: ZONE, rrsets, nameservers: ['ns1.example.net'], dnssec: true });
  const refused = await read(ZONE, [primary.address], primary.port);
  assert.equal(refused.source, 'questions');
  const metadata = { kind: 'ALLOW-AXFR-FROM', metadata: ['0.0.0.0/0'] };
  const allowed = await fetch(`${api.url}/api/v1/servers/localhost/zones/${ZONE}./metadata/ALLOW-AXFR-FROM`, {
    method: 'PUT',
    headers: { 'X-API-Key': api.key, 'Content-Type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  assert.ok(allowed.ok, await allowed.text());
  // Signed, it is some thousand records more: time enough for a machine that does other things besides.
  const found = await read(ZONE, [primary.address], primary.port, 40_000);
  assert.deepEqual([found.source, found.complete], ['transfer', true]);
  assert.deepEqual(lines(found), expected(rrsets));
});
