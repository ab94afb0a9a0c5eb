import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { registrarContract } from '../../../../test/contracts/registrar.ts';
import { questionFor, registryContract } from '../../../../test/contracts/registry.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { SetClock } from '../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import type { RegistryContact, WantedRegistration } from '../port.ts';
import { planRegistryFault } from './fault.ts';
import { days } from './life.ts';
import { SandboxRegistry } from './registry.ts';

let database: TestDatabase;
let db: Pool;
const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));

before(async () => {
  database = await createTestDatabase();
  db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
});
after(async () => {
  await db.end();
  await database.drop();
});

const question = (domain: string) => questionFor(domain, 'sandbox');

registryContract('sandbox', () => new SandboxRegistry({ db, clock }), {
  free: [question('hostkeep-contract.com'), question('hostkeep.co.uk')],
  taken: question('taken-contract.com'),
  reserved: question('reserved-contract.com'),
  premium: question('premium-contract.com'),
  silent: question('timeout-contract.com'),
  breaking: question('down-contract.com'),
});

registrarContract('sandbox', async () => ({
  driver: new SandboxRegistry({ db, clock }),
  rival: new SandboxRegistry({ db, clock, registrar: 'rival' }),
  registry: 'sandbox',
  tld: 'com',
  now: () => clock.now(),
  pass: async (count) => clock.set(days(clock.now(), count)),
  fail: (domain, command, fault) => planRegistryFault(db, { command, fault, registrar: 'hostkeep', domain }),
  async charged(domain) {
    const { rows } = await db.pg.query(
      `SELECT FROM sandbox.registry_charges WHERE domain = $1 AND kind <> 'refund'`,
      [domain],
    );
    return rows.length;
  },
  close: async () => {},
}));

const contact: RegistryContact = {
  handle: 'HK-SANDBOX',
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

function wanted(domain: string, change: Partial<WantedRegistration> = {}): WantedRegistration {
  return {
    ...question(domain),
    registrant: contact,
    admin: null,
    tech: null,
    billing: null,
    years: 1,
    nameservers: [],
    ds: [],
    authcode: 'Secret-Code-1',
    fee: null,
    since: clock.now(),
    ...change,
  };
}

const refused = (reason: string) => ({ kind: 'refused', reason });

test('a registered name is taken for everybody, and free again once it is gone', async () => {
  const rival = new SandboxRegistry({ db, clock, registrar: 'rival' });
  const ours = new SandboxRegistry({ db, clock });
  const reasonOf = async () => {
    const reasons: (string | null)[] = [];
    const signal = new AbortController().signal;
    await rival.check([question('was-free.com')], ({ reason }) => reasons.push(reason), signal);
    return reasons;
  };
  assert.deepEqual(await reasonOf(), [null]);
  await ours.register(wanted('was-free.com'));
  assert.deepEqual(await reasonOf(), ['taken']);
  await ours.delete(question('was-free.com'));
  assert.deepEqual(await reasonOf(), [null]);
});

test('names that are taken, reserved or not allowed by their rule cannot be registered', async () => {
  const ours = new SandboxRegistry({ db, clock });
  for (const domain of ['google.com', 'reserved-name.com', 'invalid-name.com', 'www.below-a-name.com'])
    assert.deepEqual(await ours.register(wanted(domain)), refused('domain_not_available'), domain);
});

test('a premium name is sold for its own price only, and only to who names it', async () => {
  const ours = new SandboxRegistry({ db, clock });
  const bought = (amount: bigint | null, currency = 'EUR') =>
    ours.register(
      wanted('premium-sold.com', { years: 2, fee: amount === null ? null : { amount, currency } }),
    );
  assert.deepEqual(await bought(null), refused('fee_differs'));
  assert.deepEqual(await bought(2_490_000n), refused('fee_differs'), 'the price of one year');
  assert.deepEqual(await bought(4_980_000n, 'USD'), refused('fee_differs'));
  assert.equal((await bought(4_980_000n)).kind, 'done');
});

test('a registrar without credit is refused, and nothing is theirs', async () => {
  const rival = new SandboxRegistry({ db, clock, registrar: 'rival' });
  await db.pg.query(`UPDATE sandbox.registry_registrars SET credit_limit = 0 WHERE name = 'rival'`);
  assert.deepEqual(
    await rival.register(wanted('unpaid.com', { registrant: { ...contact, handle: 'RV-SANDBOX' } })),
    refused('billing'),
  );
  assert.equal(await rival.info(question('unpaid.com')), null);
  await db.pg.query(`UPDATE sandbox.registry_registrars SET credit_limit = NULL WHERE name = 'rival'`);
});

test('.eu asks where the registrant lives, .uk knows no transfers with a code', async () => {
  const ours = new SandboxRegistry({ db, clock });
  const abroad = { ...contact, handle: 'HK-ABROAD', country: 'US' };
  assert.deepEqual(
    await ours.register(wanted('abroad.eu', { registrant: abroad })),
    refused('contact_invalid'),
  );
  const citizen = { ...abroad, handle: 'HK-CITIZEN', extra: { eu_citizenship: 'FR' } };
  assert.equal((await ours.register(wanted('abroad.eu', { registrant: citizen }))).kind, 'done');
  await ours.register(wanted('pushed.co.uk'));
  const rival = new SandboxRegistry({ db, clock, registrar: 'rival' });
  const transfer = {
    ...question('pushed.co.uk'),
    authcode: 'Secret-Code-1',
    years: null,
    fee: null,
    since: clock.now(),
  };
  assert.deepEqual(await rival.requestTransfer(transfer), refused('not_supported'));
});
