import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { systemClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { SandboxNameServer } from './name-server.ts';

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
