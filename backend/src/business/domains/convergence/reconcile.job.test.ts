// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../../test/domains.ts';
import type { DomainRef } from '../../../drivers/registry/port.ts';
import { RoutedRegistries } from '../../../drivers/registry/routing.ts';
import { SandboxRegistry } from '../../../drivers/registry/sandbox/registry.ts';
import lockEnds from '../transfer/lock-ends.job.ts';
import reconcile from './reconcile.job.ts';

const domains = await openDomains();
const { clock, pool, ports } = domains;
const who = await domains.customer(100_000n);
const ref = (domain: string) => ({ domain, tld: 'com', registry: 'sandbox' });

/** A day's runs, in which every name has its turn. */
async function day(): Promise<void> {
  for (let run = 0; run < 144; run += 1) {
    clock.set(clock.now().add({ minutes: 10 }));
    await domains.run(reconcile);
  }
}

const reports = async () =>
  (
    await pool.pg.query<{ report: string }>(
      "SELECT kind || ' ' || subject AS report FROM discrepancies WHERE resolved_at IS NULL ORDER BY 1",
    )
  ).rows.map(({ report }) => report);

async function everything() {
  const books = await pool.pg.query('SELECT * FROM domains JOIN services USING (id, name) ORDER BY id');
  const registry = await pool.pg.query('SELECT * FROM sandbox.registry_domains ORDER BY id');
  const jobs = await pool.pg.query('SELECT key FROM graphile_worker.jobs ORDER BY key');
  return [books.rows, registry.rows, jobs.rows];
}

const atRegistry = (name: string, set: string) =>
  pool.pg.query(`UPDATE sandbox.registry_domains SET ${set} WHERE name = $1`, [name]);

for (const name of [
  'alike',
  'gone',
  'rivals',
  'parked',
  'signed',
  'unlocked',
  'longer',
  'dropping',
  'worked-on',
])
  await domains.register(who, `${name}.com`);
await domains.register(who, 'elsewhere-served.com', {
  nameservers: [
    { hostname: 'ns1.elsewhere-served.com', ipv4: ['192.0.2.7'] },
    { hostname: 'ns2.example.net' },
  ],
});

test('books and registry agree on what was registered, also once its lock against transfers is over', async () => {
  clock.set(clock.now().add({ hours: 61 * 24 }));
  await day();
  await domains.run(lockEnds);
  await domains.work();
  await day();
  assert.deepEqual(await reports(), []);
});

test('whatever differs and is not worked on is reported, and neither the books nor the registry are touched', async () => {
  const strange = { ...ref('stray.com'), admin: null, tech: null, billing: null, years: 1, nameservers: [] };
  const { rows } = await pool.pg.query<{ handle: string }>(
    "SELECT handle FROM sandbox.registry_contacts WHERE sponsor = 'hostkeep' LIMIT 1",
  );
  const made = await ports.registry.register({
    ...strange,
    registrant: {
      handle: rows[0]?.handle ?? '',
      type: 'person',
      name: 'Erika Muster',
      organisation: null,
      street: ['Beispielweg 1'],
      city: 'Frankfurt am Main',
      region: null,
      zip: '60311',
      country: 'DE',
      phone: '+49.6912345678',
      fax: null,
      email: 'erika@example.com',
      disclosed: false,
      extra: {},
    },
    ds: [],
    authcode: 'Any-Code-1',
    fee: null,
    since: clock.now(),
  });
  assert.equal(made.kind, 'done', JSON.stringify(made));
  await pool.pg.query(
    "INSERT INTO registry_messages (registry, id, at, text, domain, received_at) VALUES ('sandbox', 'm1', $1, '', 'stray.com', $1)",
    [clock.now()],
  );
  await atRegistry('gone.com', "name = 'gone-away.com'");
  await atRegistry('rivals.com', "sponsor = 'rival'");
  await atRegistry('parked.com', "hosts = '{ns1.parking.example}'");
  await atRegistry('worked-on.com', "hosts = '{ns1.parking.example}'");
  await pool.pg.query(
    `INSERT INTO tasks (id, account_id, type, state, resource_type, resource_id, created_at)
     SELECT gen_random_uuid(), account_id, 'domain.nameservers', 'queued', 'domain', id, $1 FROM services
     WHERE name = 'worked-on.com'`,
    [clock.now()],
  );
  await atRegistry(
    'signed.com',
    `ds = '[{"keyTag": 7, "algorithm": 13, "digestType": 2, "digest": "${'AB'.repeat(32)}"}]'`,
  );
  await atRegistry('unlocked.com', "client_statuses = '{}'");
  await atRegistry('longer.com', "expire_at = expire_at + interval '1 year'");
  await atRegistry('dropping.com', `deleted_at = '${clock.now()}'`);
  await pool.pg.query(
    "UPDATE sandbox.registry_hosts SET ipv4 = '{192.0.2.8}' WHERE name = 'ns1.elsewhere-served.com'",
  );
  const before = await everything();
  await day();
  assert.deepEqual(await reports(), [
    'domain_ds_differs signed.com',
    'domain_elsewhere rivals.com',
    'domain_expiry_differs longer.com',
    'domain_missing gone.com',
    'domain_nameservers_differ elsewhere-served.com',
    'domain_nameservers_differ parked.com',
    'domain_state_differs dropping.com',
    'domain_status_differs unlocked.com',
    'domain_unknown stray.com',
  ]);
  assert.deepEqual(await everything(), before);
  const found = await pool.pg.query(
    "SELECT count(*)::int AS n FROM discrepancies WHERE subject = 'parked.com' AND detail->'found' = $1",
    [JSON.stringify({ nameservers: ['ns1.parking.example'] })],
  );
  assert.equal(found.rows[0]?.n, 1);
});

test('what was set right is closed by the next run, and what was not stays', async () => {
  await atRegistry('rivals.com', "sponsor = 'hostkeep'");
  await atRegistry('gone-away.com', "name = 'gone.com'");
  const before = (await reports()).length;
  clock.set(clock.now().add({ minutes: 10 }));
  await domains.run(reconcile);
  assert.equal((await reports()).length, before - 2);
});

test('a registry out of reach is unknown: nothing is reported or closed', async () => {
  const before = await reports();
  await atRegistry('parked.com', "hosts = '{ns1.hosting.example,ns2.hosting.example}'");
  const registry = new RoutedRegistries(new Map());
  clock.set(clock.now().add({ minutes: 10 }));
  await domains.run(reconcile, {}, { ports: { ...ports, registry } });
  assert.deepEqual(await reports(), before);
});

test('what the books change while a registry is asked is not compared with its answer', async () => {
  const before = await reports();
  class SlowRegistries extends RoutedRegistries {
    override async info(asked: DomainRef) {
      const told = await super.info(asked);
      await pool.pg.query('UPDATE services SET version = version + 1 WHERE name = $1', [asked.domain]);
      return told;
    }
  }
  const registry = new SlowRegistries(
    new Map([['sandbox', new SandboxRegistry({ db: domains.sandbox, clock })]]),
  );
  clock.set(clock.now().add({ minutes: 10 }));
  await domains.run(reconcile, {}, { ports: { ...ports, registry } });
  assert.deepEqual(await reports(), before);
  clock.set(clock.now().add({ minutes: 10 }));
  await domains.run(reconcile);
  assert.ok(!(await reports()).includes('domain_nameservers_differ parked.com'), 'it was right already');
});

test('what was under way is compared once it is done', async () => {
  await pool.pg.query("UPDATE tasks SET state = 'succeeded', finished_at = $1 WHERE finished_at IS NULL", [
    clock.now(),
  ]);
  await day();
  assert.ok((await reports()).includes('domain_nameservers_differ worked-on.com'));
});
