import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { questionFor } from '../../../../test/contracts/registry.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { SetClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { SandboxRegistry } from './registry.ts';
import { Rival } from './rival.ts';

let database: TestDatabase;
let db: Pool;
let rival: Rival;
let ours: SandboxRegistry;
const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  rival = new Rival({ db, clock });
  ours = new SandboxRegistry({ db, clock });
});
after(async () => {
  await db.end();
  await database.drop();
});

test('what the rival registered can be transferred at once with the code that they were given', async () => {
  const registered = await rival.register('from-the-rival.com');
  assert.ok(registered.ok);
  const ref = questionFor('from-the-rival.com', 'sandbox');
  const asked = await ours.requestTransfer({
    ...ref,
    authcode: registered.data,
    years: null,
    fee: null,
    since: clock.now(),
  });
  assert.equal(asked.kind, 'done');
  assert.deepEqual(await rival.approve(ref.domain), { ok: true, code: 1000, data: 'clientApproved' });
  assert.equal((await ours.info(ref))?.sponsoredHere, true);
});

test('the rival asks for it back once it is unlocked, and takes their request back', async () => {
  const ref = questionFor('from-the-rival.com', 'sandbox');
  await ours.update({ ...ref, authcode: 'Give-it-back-1' });
  const locked = await rival.request(ref.domain, 'Give-it-back-1');
  assert.equal(!locked.ok && locked.code, 2304);
  assert.ok((await rival.unlock(ref.domain)).ok);
  assert.deepEqual(await rival.request(ref.domain, 'Give-it-back-1'), {
    ok: true,
    code: 1001,
    data: 'pending',
  });
  assert.deepEqual(await rival.cancel(ref.domain), { ok: true, code: 1000, data: 'clientCancelled' });
  assert.equal((await rival.unlock('nobody-has-it.com')).ok, false);
});

test('premium names are bought at their price, for one year under TLDs of one', async () => {
  assert.ok((await rival.register('premium-rival.com')).ok);
  assert.ok((await rival.register('premium-rival.de')).ok);
  assert.equal((await rival.register('premium-rival.de')).ok, false);
});
