// Slow: 3 s

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { sha256 } from '../src/base/canonical.ts';
import { DiskStorage } from '../src/drivers/storage/disk/storage.ts';
import { httpServer } from '../src/wire/http.ts';
import { openFixture } from './fixture.ts';
import { openRequests } from './requests.ts';

// What no listener hears ends the process, and the test with it: each kind of emitter meets an error that comes when none
// is waited for. Others are in db/pool, host/child, base/outbound, registry/epp/faults and dns/sandbox/server.

test('a connection that cannot be accepted leaves the interface up', async () => {
  const { runner } = openRequests(await openFixture());
  const app = httpServer({
    operations: [],
    runner,
    log: pino({ level: 'silent' }),
    publicUrl: () => 'https://hostkeep.example',
    trustedProxies: [],
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  app.server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
  assert.equal((await fetch(`${address}/nothing`)).status, 404);
  await app.close();
});

test('a stored file that vanishes after it was asked for fails for its reader alone, and later ones are missing', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hostkeep-stray-'));
  after(() => rm(directory, { recursive: true, force: true }));
  const storage = new DiskStorage(directory);
  const content = Buffer.from('what was attached');
  const key = sha256(content).toString('hex');
  assert.equal(await storage.read(key), null);
  await storage.ensureStored(key, content);
  const stream = await storage.read(key);
  assert.ok(stream !== null);
  await rm(directory, { recursive: true });
  await setImmediate();
  await assert.rejects(Array.fromAsync(stream), { code: 'ENOENT' });
  assert.equal(await storage.read(key), null);
});
