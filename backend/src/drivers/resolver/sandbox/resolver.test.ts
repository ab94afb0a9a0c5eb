import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { resolverContract } from '../../../../test/contracts/resolver.ts';
import { createTestDatabase } from '../../../../test/database.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { SandboxResolver } from './resolver.ts';

const database = await createTestDatabase();
const db = new Pool({ url: database.url, size: 1, name: 'sandbox', role: APPLICATION_ROLE });
after(async () => {
  await db.end();
  await database.drop();
});

resolverContract('sandbox', () => new SandboxResolver(db), {
  host: 'www.example.com',
  pointer: '9.9.9.9.in-addr.arpa',
  text: 'example.com',
  missing: 'missing.example.com',
  silent: 'timeout.example.com',
});

test('a name says the same each time, and different names different things', async () => {
  const resolver = new SandboxResolver(db);
  assert.deepEqual(await resolver.addresses('a.example'), await resolver.addresses('a.example'));
  assert.notDeepEqual(await resolver.addresses('a.example'), await resolver.addresses('b.example'));
});
