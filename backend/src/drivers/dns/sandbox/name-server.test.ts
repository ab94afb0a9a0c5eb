import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { SetClock, systemClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { SandboxDns } from './dns.ts';
import { registeredNameServer, SandboxNameServer } from './name-server.ts';

let database: TestDatabase;
let db: Pool;
before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 2, name: 'sandbox', role: APPLICATION_ROLE });
});
after(async () => {
  await db.end();
  await database.drop();
});

test('a port that another has is waited for and told once; what was opened for it is closed again', async () => {
  const other = createSocket('udp4');
  other.bind(0, '127.0.0.1');
  await once(other, 'listening');
  const told: unknown[] = [];
  const { port } = other.address();
  const waiting = new SandboxNameServer(
    { address: '127.0.0.1', port },
    {
      db,
      clock: systemClock,
      onError: (error) => assert.fail(String(error)),
      onTaken: (error) => void told.push(error),
    },
  );
  await waiting.open();
  assert.equal((told[0] as NodeJS.ErrnoException).code, 'EADDRINUSE');
  await waiting.close();
  other.close();
});

test('where another program has the port, a free one is taken, kept and told to all that publish', async () => {
  const other = createSocket('udp4');
  other.bind(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address();
  const clock = new SetClock(Temporal.Instant.from('2027-01-01T00:00:00Z'));
  // Where it last answered, long ago.
  await db.pg.query(
    `INSERT INTO sandbox.name_server (address, port, seen_at) VALUES ('127.0.0.1', $1, '2026-01-01')`,
    [port],
  );
  const fail = (error: unknown) => assert.fail(String(error));
  const options = { db, clock, onError: fail, onTaken: fail };
  const first = new SandboxNameServer(null, options);
  await first.open();
  const at = first.address;
  assert.ok(at !== null && at.port !== port);
  assert.deepEqual(await registeredNameServer(db), at);

  const zone = 'moved.example';
  const dns = new SandboxDns({ db, clock, server: 'registered' });
  await dns.ensureZone({ zone, nameservers: ['ns1.example.net'], dnssec: false, rrsets: [] });
  const published = await dns.publication(zone, 5_000);
  assert.deepEqual([published?.nameserversCurrent, published?.nameserversTotal], [1, 1]);

  // A second process finds it taken by ours, and takes its place only when it is gone.
  const second = new SandboxNameServer(null, { ...options, onTaken: () => {} });
  await second.open();
  assert.equal(second.address, null);
  await second.close();
  await first.close();
  const third = new SandboxNameServer(null, options);
  await third.open();
  assert.deepEqual(third.address, at, 'it answers where it did before');
  await third.close();
  other.close();
});
