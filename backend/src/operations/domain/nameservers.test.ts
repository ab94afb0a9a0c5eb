// Slow: 5 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openDomains } from '../../../test/domains.ts';
import type { Customer } from '../../../test/fixture.ts';
import changes from '../../business/domains/changes/changes.job.ts';
import type { RegisteredDomain } from '../../drivers/registry/port.ts';

const domains = await openDomains();
const { requests, ports, clock, pool } = domains;
const OURS = ['ns1.hosting.example', 'ns2.hosting.example'];
const THEIRS = { nameservers: [{ hostname: 'ns1.example.net' }, { hostname: 'ns2.example.net' }] };
const DS = { key_tag: 4711, algorithm: 13, digest_type: 2, digest: 'AB'.repeat(32) };
const SIGNER = { keyTag: 4711, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) };

async function ask(who: Customer, input: object, path = 'domain/nameservers') {
  const received = await requests.call(path, input, { token: who.secret });
  assert.ok(received.status < 300, received.text);
  return received.body.data;
}

async function atRegistry(domain: string): Promise<RegisteredDomain> {
  const found = await ports.registry.info({ domain, tld: 'com', registry: 'sandbox' });
  assert.ok(found);
  return found;
}

async function served(domain: string): Promise<string[]> {
  return (await atRegistry(domain)).nameservers.map(({ hostname }) => hostname).sort();
}

async function taskState(who: Customer, uuid: string): Promise<string> {
  return (await ask(who, { uuid }, 'task/details')).task.state;
}

async function later(hours: number): Promise<void> {
  clock.set(clock.now().add({ hours }));
  await domains.run(changes);
  await domains.work();
}

test('name servers that answer are taken, and given back for ours', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'moves-out.com');
  assert.deepEqual(await served('moves-out.com'), OURS);
  const moved = await ask(who, { uuid, ...THEIRS });
  assert.deepEqual(
    moved.checks.map(({ resolves, authoritative }: Record<string, boolean>) => [resolves, authoritative]),
    [
      [true, true],
      [true, true],
    ],
  );
  assert.deepEqual(
    moved.previous_nameservers.map(({ hostname }: { hostname: string }) => hostname),
    OURS,
  );
  await domains.work();
  assert.deepEqual(await served('moves-out.com'), ['ns1.example.net', 'ns2.example.net']);
  assert.equal(await taskState(who, moved.task.uuid), 'succeeded');
  assert.equal((await ask(who, { uuid }, 'domain/details')).dns_hosted, false);
  await ask(who, { uuid, mode: 'default' });
  await domains.work();
  assert.deepEqual(await served('moves-out.com'), OURS);
  assert.equal((await ask(who, { uuid }, 'domain/details')).dns_hosted, true);
  assert.equal((await domains.events(who)).at(-1), 'domain.nameservers_changed');
});

test('name servers that do not answer are refused, unless their customer insists', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'not-ready.com');
  const nameservers = ['missing1', 'timeout1', 'lame1', 'ns4'].map((name) => ({
    hostname: `${name}.example.net`,
  }));
  const refused = await requests.refused(
    'delegation_check_failed',
    'domain/nameservers',
    { uuid, nameservers },
    { token: who.secret },
  );
  assert.deepEqual(
    refused.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/nameservers/0', '/nameservers/1', '/nameservers/2'],
  );
  const dry = await ask(who, { uuid, nameservers, dry_run: true });
  assert.deepEqual([dry.warnings.length, dry.task], [3, null]);
  await domains.work();
  assert.deepEqual(await served('not-ready.com'), OURS);
  await ask(who, { uuid, nameservers, ignore_warnings: true });
  await domains.work();
  assert.equal((await served('not-ready.com')).length, 4);
});

test('a name server below the domain has its addresses, every other has none', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'has-glue.com');
  const wrong = [{ hostname: 'ns1.has-glue.com' }, { hostname: 'ns1.example.net', ipv4: ['192.0.2.1'] }];
  const refused = await requests.refused(
    'validation_failed',
    'domain/nameservers',
    { uuid, nameservers: wrong },
    { token: who.secret },
  );
  assert.deepEqual(
    refused.errors.map(({ pointer, error }: Record<string, string>) => [pointer, error]),
    [
      ['/nameservers/0', 'required'],
      ['/nameservers/1', 'not_allowed'],
    ],
  );
  const nameservers = [
    { hostname: 'ns1.has-glue.com', ipv4: ['198.51.100.1'] },
    { hostname: 'ns2.example.net' },
  ];
  await ask(who, { uuid, nameservers });
  await domains.work();
  const { nameservers: registered } = await atRegistry('has-glue.com');
  const glue = registered.find(({ hostname }) => hostname === 'ns1.has-glue.com');
  assert.deepEqual(glue?.ipv4, ['198.51.100.1']);
});

test('leaving a signed delegation takes the DS away, waits, and only then changes the name servers (rule F7)', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'signed.com');
  const first = await ask(who, { uuid, ...THEIRS, ds: [DS] });
  await domains.work();
  // Whoever remembers our name servers must not see their keys wanted.
  assert.deepEqual((await atRegistry('signed.com')).ds, []);
  await later(47);
  assert.deepEqual((await atRegistry('signed.com')).ds, []);
  await later(1);
  assert.deepEqual((await atRegistry('signed.com')).ds, [SIGNER]);
  assert.equal(await taskState(who, first.task.uuid), 'succeeded');

  const others = [{ hostname: 'ns1.example.org' }, { hostname: 'ns2.example.org' }];
  const left = await ask(who, { uuid, nameservers: others, ignore_warnings: true });
  assert.deepEqual(
    left.warnings.map(({ error }: { error: string }) => error),
    ['dnssec_removed', 'dnssec_delays'],
  );
  await domains.work();
  assert.deepEqual((await atRegistry('signed.com')).ds, []);
  assert.deepEqual(await served('signed.com'), ['ns1.example.net', 'ns2.example.net']);
  await later(23);
  assert.deepEqual(await served('signed.com'), ['ns1.example.net', 'ns2.example.net']);
  await later(1);
  assert.deepEqual(await served('signed.com'), ['ns1.example.org', 'ns2.example.org']);
  assert.equal(await taskState(who, left.task.uuid), 'succeeded');
});

test('what waits for resolvers gives way to another request, which waits as long again', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'second-thoughts.com');
  await ask(who, { uuid, ...THEIRS, ds: [DS] });
  await domains.work();
  await later(48);
  const left = await ask(who, { uuid, mode: 'default' });
  await domains.work();
  assert.equal(await taskState(who, left.task.uuid), 'running');
  const stays = await ask(who, { uuid, ...THEIRS, ds: [DS] });
  assert.equal(await taskState(who, left.task.uuid), 'cancelled');
  await domains.work();
  assert.equal(await taskState(who, stays.task.uuid), 'succeeded');
  assert.deepEqual((await atRegistry('second-thoughts.com')).ds, [SIGNER]);
  assert.deepEqual(await served('second-thoughts.com'), ['ns1.example.net', 'ns2.example.net']);
});

test('a registry that refuses leaves the delegation as it was', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'refused-ns.com');
  await domains.fault('update', 'refuse');
  const asked = await ask(who, { uuid, ...THEIRS });
  await domains.work();
  assert.equal(await taskState(who, asked.task.uuid), 'failed');
  assert.deepEqual(await served('refused-ns.com'), OURS);
  const { rows } = await pool.pg.query('SELECT dns_hosted, nameservers FROM domains WHERE id = $1', [uuid]);
  assert.equal(rows[0]?.dns_hosted, true);
  assert.equal(rows[0]?.nameservers[0].hostname, OURS[0]);
});

test('a crash between the registry and the books is finished by the job that runs again', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'crashes.com');
  const asked = await ask(who, { uuid, ...THEIRS });
  await domains.fault('update', 'timeout_after');
  await domains.work();
  assert.equal(await taskState(who, asked.task.uuid), 'queued');
  const superuser = new pg.Client(domains.database.url);
  await superuser.connect();
  await superuser.query("DELETE FROM graphile_worker._private_jobs WHERE key LIKE 'domain.converge%'");
  await superuser.end();
  await domains.run(changes);
  await domains.work();
  assert.equal(await taskState(who, asked.task.uuid), 'succeeded');
  assert.deepEqual(await served('crashes.com'), ['ns1.example.net', 'ns2.example.net']);
});
