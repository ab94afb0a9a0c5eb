import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { SetClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import type {
  RegistrarDriver,
  RegistryContact,
  RegistryMessage,
  RegistryOutcome,
  WantedRegistration,
} from '../port.ts';
import { days } from './life.ts';
import { SandboxRegistry } from './registry.ts';

const START = Temporal.Instant.from('2027-01-15T12:00:00Z');
const YEAR = 80_000n;

let database: TestDatabase;
let db: Pool;
const clock = new SetClock(START);
let ours: RegistrarDriver;
let theirs: RegistrarDriver;

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  ours = new SandboxRegistry({ db, clock });
  theirs = new SandboxRegistry({ db, clock, registrar: 'rival' });
});
after(async () => {
  await db.end();
  await database.drop();
});

const contact: RegistryContact = {
  handle: 'HK-LIFE',
  type: 'person',
  name: 'Erika Muster',
  organisation: null,
  street: ['Musterstraße 1'],
  city: 'Frankfurt',
  region: null,
  zip: '60311',
  country: 'DE',
  phone: '+49.691234567',
  fax: null,
  email: 'erika@example.org',
  disclosed: false,
  extra: {},
};

const ref = (domain: string) => ({
  domain,
  tld: domain.slice(domain.indexOf('.') + 1),
  registry: 'sandbox',
});

function wanted(domain: string, change: Partial<WantedRegistration> = {}): WantedRegistration {
  return {
    ...ref(domain),
    registrant: contact,
    admin: contact,
    tech: contact,
    billing: null,
    years: 1,
    nameservers: [],
    ds: [],
    authcode: 'Code-1-of-many',
    fee: null,
    since: clock.now(),
    ...change,
  };
}

function done<Result>(outcome: RegistryOutcome<Result>): Result {
  if (outcome.kind !== 'done') assert.fail(JSON.stringify(outcome));
  return outcome.result;
}

const pass = (count: number) => clock.set(days(clock.now(), count));

async function register(driver: RegistrarDriver, domain: string) {
  const by = driver === ours ? contact : { ...contact, handle: 'RV-LIFE' };
  return done(await driver.register({ ...wanted(domain), registrant: by, admin: by, tech: by }));
}

/** What a registrar paid for a domain, and was paid back, in order. */
async function charges(domain: string): Promise<[string, string, bigint][]> {
  const { rows } = await db.pg.query<{ registrar: string; kind: string; amount: bigint }>(
    'SELECT registrar, kind, amount FROM sandbox.registry_charges WHERE domain = $1 ORDER BY id',
    [domain],
  );
  return rows.map(({ registrar, kind, amount }) => [registrar, kind, amount]);
}

/** All messages of a registrar, taken off the queue. */
async function messages(driver: RegistrarDriver): Promise<RegistryMessage[]> {
  const read: RegistryMessage[] = [];
  for (let message = await driver.nextMessage(); message !== null; message = await driver.nextMessage()) {
    read.push(message);
    await driver.acknowledge(message.id);
  }
  return read;
}

async function told(driver: RegistrarDriver): Promise<string[]> {
  return (await messages(driver)).map(({ about }) => {
    if (about === null) return 'nothing';
    return about.kind === 'domain' ? about.change : `transfer ${about.transfer.status}`;
  });
}

test('deleted within five days of its registration, a domain is free at once and paid back', async () => {
  await register(ours, 'add-grace.com');
  pass(4);
  assert.ok((await ours.info(ref('add-grace.com')))?.statuses.includes('addPeriod'));
  assert.equal(done(await ours.delete(ref('add-grace.com'))), null);
  assert.equal(await ours.info(ref('add-grace.com')), null);
  assert.deepEqual(await charges('add-grace.com'), [
    ['hostkeep', 'create', YEAR],
    ['hostkeep', 'refund', -YEAR],
  ]);
});

test('at its end the registry renews; deleted within 45 days the year is paid back, and the domain redeemable', async () => {
  const domain = 'expiring.com';
  const { expireAt } = await register(ours, domain);
  assert.ok(expireAt);
  clock.set(expireAt.subtract({ milliseconds: 1 }));
  assert.deepEqual(await told(ours), []);
  assert.equal((await ours.info(ref(domain)))?.expireAt?.toString(), expireAt.toString());
  clock.set(expireAt);
  assert.deepEqual(await told(ours), ['renewed']);
  const renewed = await ours.info(ref(domain));
  assert.equal(renewed?.expireAt?.toString(), '2029-01-19T12:00:00Z');
  assert.ok(renewed.statuses.includes('autoRenewPeriod'));
  pass(44);
  const left = done(await ours.delete(ref(domain)));
  assert.ok(left?.statuses.includes('redemptionPeriod') && left.statuses.includes('pendingDelete'));
  assert.deepEqual(await charges(domain), [
    ['hostkeep', 'create', YEAR],
    ['hostkeep', 'autorenew', YEAR],
    ['hostkeep', 'refund', -YEAR],
  ]);
});

test('in its redemption a domain is restored for a fee, and the missed term renewed with it', async () => {
  const domain = 'expiring.com';
  pass(29);
  const restored = done(await ours.restore({ ...ref(domain), fee: null }));
  assert.deepEqual(
    restored.statuses.filter((status) => /redemption|pending/.test(status)),
    [],
  );
  assert.equal(restored.expireAt?.toString(), '2029-01-19T12:00:00Z');
  assert.deepEqual((await charges(domain)).slice(3), [
    ['hostkeep', 'restore', 400_000n],
    ['hostkeep', 'autorenew', YEAR],
  ]);
});

test('not restored, a domain waits five days for its deletion, and then anybody may have it', async () => {
  const domain = 'released.com';
  await register(ours, domain);
  pass(10);
  await ours.delete(ref(domain));
  await messages(ours);
  pass(30);
  assert.ok((await ours.info(ref(domain)))?.statuses.includes('pendingDelete'));
  const late = await ours.restore({ ...ref(domain), fee: null });
  assert.deepEqual(late, { kind: 'refused', reason: 'state_conflict' });
  const early = { registrant: { ...contact, handle: 'RV-LIFE' }, admin: null, tech: null };
  assert.deepEqual(await theirs.register(wanted(domain, early)), {
    kind: 'refused',
    reason: 'domain_not_available',
  });
  pass(5);
  assert.deepEqual(await told(ours), ['deleted']);
  assert.equal((await register(theirs, domain)).registrar, 'rival');
});

test('a transfer that nobody answers for five days is through, with a year, and locks for 60 days', async () => {
  const domain = 'silence.com';
  await register(ours, domain);
  done(await ours.update({ ...ref(domain), authcode: 'Secret-1' }));
  const ask = () =>
    theirs.requestTransfer({
      ...ref(domain),
      authcode: 'Secret-1',
      years: null,
      fee: null,
      since: clock.now(),
    });
  assert.deepEqual(await ask(), { kind: 'refused', reason: 'transfer_locked' });
  pass(60);
  done(await ours.update({ ...ref(domain), authcode: 'Secret-2' }));
  assert.deepEqual(await ask(), { kind: 'refused', reason: 'authcode_invalid' });
  done(await ours.update({ ...ref(domain), authcode: 'Secret-1' }));
  await Promise.all([messages(ours), messages(theirs)]);
  assert.equal(done(await ask()).status, 'pending');
  assert.deepEqual(await told(ours), ['transfer pending']);
  pass(5);
  assert.deepEqual(await told(ours), ['transfer approved']);
  assert.deepEqual(await told(theirs), ['transfer approved']);
  assert.equal((await theirs.info(ref(domain)))?.sponsoredHere, true);
  assert.deepEqual((await charges(domain)).slice(1), [['rival', 'transfer', YEAR]]);
  done(await theirs.update({ ...ref(domain), authcode: 'Back-again' }));
  const back = { ...ref(domain), authcode: 'Back-again', years: 1, fee: null, since: clock.now() };
  assert.deepEqual(await ours.requestTransfer(back), { kind: 'refused', reason: 'transfer_locked' });
});

test('after the lock it comes back, refused at first and then let go', async () => {
  const domain = 'silence.com';
  pass(60);
  done(await theirs.update({ ...ref(domain), authcode: 'Back-again' }));
  const ask = () =>
    ours.requestTransfer({
      ...ref(domain),
      authcode: 'Back-again',
      years: null,
      fee: null,
      since: clock.now(),
    });
  done(await ask());
  assert.equal(done(await theirs.answerTransfer(ref(domain), 'reject')), null);
  assert.equal((await ours.transfer(ref(domain)))?.status, 'rejected');
  assert.equal((await ours.info(ref(domain)))?.sponsoredHere, false);
  pass(1);
  done(await ask());
  done(await theirs.answerTransfer(ref(domain), 'approve'));
  assert.equal((await ours.transfer(ref(domain)))?.status, 'approved');
  const home = await ours.info(ref(domain));
  assert.equal(home?.sponsoredHere, true);
  assert.equal(
    home.expireAt?.toZonedDateTimeISO('UTC').year,
    (home.createdAt?.toZonedDateTimeISO('UTC').year ?? 0) + 3,
  );
});

test('a transfer within 45 days of the renewal pays its year back to the loser, and brings its own', async () => {
  const domain = 'transfer-after-renewal.com';
  const { expireAt } = await register(ours, domain);
  assert.ok(expireAt);
  clock.set(days(expireAt, 10));
  done(await ours.update({ ...ref(domain), authcode: 'Secret-1' }));
  const since = clock.now();
  done(await theirs.requestTransfer({ ...ref(domain), authcode: 'Secret-1', years: null, fee: null, since }));
  done(await ours.answerTransfer(ref(domain), 'approve'));
  assert.deepEqual((await charges(domain)).slice(1), [
    ['hostkeep', 'autorenew', YEAR],
    ['hostkeep', 'refund', -YEAR],
    ['rival', 'transfer', YEAR],
  ]);
  const end = expireAt.toZonedDateTimeISO('UTC').add({ years: 1 }).toInstant();
  assert.equal((await theirs.info(ref(domain)))?.expireAt?.toString(), end.toString());
});

test('an authcode opens nothing after its end of life', async () => {
  const domain = 'old-code.com';
  await register(ours, domain);
  pass(61);
  const asked = await theirs.requestTransfer({
    ...ref(domain),
    authcode: 'Code-1-of-many',
    years: null,
    fee: null,
    since: clock.now(),
  });
  assert.deepEqual(asked, { kind: 'refused', reason: 'authcode_invalid' });
});

test('where the registry renews nothing, a domain expires into its redemption, and out of it with a paid year', async () => {
  const domain = 'lapsing.se';
  const { expireAt } = await register(ours, domain);
  assert.ok(expireAt);
  clock.set(days(expireAt, 59));
  assert.ok((await ours.info(ref(domain)))?.statuses.includes('serverHold'));
  clock.set(days(expireAt, 60));
  assert.equal(await ours.info(ref(domain)), null);
  const other = await register(ours, 'lapsing.cz');
  assert.ok(other.expireAt);
  clock.set(other.expireAt);
  assert.ok((await ours.info(ref('lapsing.cz')))?.statuses.includes('redemptionPeriod'));
  const back = done(await ours.restore({ ...ref('lapsing.cz'), fee: null }));
  assert.equal(
    back.expireAt?.toString(),
    other.expireAt.toZonedDateTimeISO('UTC').add({ years: 1 }).toInstant().toString(),
  );
  assert.deepEqual(
    (await charges('lapsing.cz')).map(([, kind]) => kind),
    ['create', 'restore', 'renew'],
  );
});

test('.de has no end, wants its roles, and moves at once', async () => {
  const domain = 'endless.de';
  assert.deepEqual(await ours.register(wanted(domain, { tech: null })), {
    kind: 'refused',
    reason: 'contact_invalid',
  });
  assert.equal((await register(ours, domain)).expireAt, null);
  pass(4_000);
  assert.equal((await ours.info(ref(domain)))?.expireAt, null);
  done(await ours.update({ ...ref(domain), authcode: 'Secret-1' }));
  const asked = await theirs.requestTransfer({
    ...ref(domain),
    authcode: 'Secret-1',
    years: null,
    fee: null,
    since: clock.now(),
  });
  assert.equal(done(asked).status, 'approved');
  assert.equal((await theirs.info(ref(domain)))?.sponsoredHere, true);
});
