// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs } from '../../../../test/cpu-time.ts';
import { DOMAIN_ORDER } from '../../../../test/domains.ts';
import { openZones } from '../../../../test/zones.ts';
import type { ExistingRecord } from '../../../drivers/dns/port.ts';
import changes from '../../domains/changes/changes.job.ts';
import { DOMAIN_AUTHCODE } from '../../domains/transfer/authcode.ts';
import history from '../history/history.job.ts';
import { importZone } from './imported.ts';

const zones = await openZones();
const customer = await zones.customer(1_000_000n);
const token = { token: customer.secret };
const CODE = 'Rivals-Code-1';
const ZONE = 'imported.com';
const existing = (records: readonly ExistingRecord[]) => ({
  source: 'transfer' as const,
  nameservers: ['ns1.example.net'],
  complete: true,
  records,
});
const found = (name: string, type: string, rdata: string | null, ttl = 300): ExistingRecord => ({
  name: name === '@' ? ZONE : `${name}.${ZONE}`,
  type,
  ttl,
  rdata,
});

test('what is found is taken over as it is, and what a zone here cannot have is named', () => {
  const imported = importZone(
    ZONE,
    existing([
      found('@', 'MX', `10 mail.${ZONE}.`),
      found('@', 'A', '192.0.2.1', 5),
      found('_sip._tcp', 'SRV', '1 2 5060 sip.example.net.'),
      found('t', 'TXT', '"semi;colon" "quote\\"s"'),
      found('@', 'HINFO', '"a" "b"'),
      found('x', 'TYPE65400', '\\# 2 abcd'),
      found('broken', 'A', null),
      found('bad_', 'A', '192.0.2.300'),
      found('sub', 'NS', 'ns1.example.net.'),
    ]),
    [],
  );
  assert.deepEqual(
    imported.records.map(({ name, type, content, ttl, priority }) => [name, type, content, ttl, priority]),
    [
      ['@', 'MX', `mail.${ZONE}.`, 300, 10],
      ['@', 'A', '192.0.2.1', 60, null],
      ['_sip._tcp', 'SRV', 'sip.example.net.', 300, 1],
      ['t', 'TXT', '"semi;colon" "quote\\"s"', 300, null],
      ['sub', 'NS', 'ns1.example.net.', 300, null],
    ],
  );
  assert.deepEqual(
    imported.skipped.map(({ name, type }) => `${name} ${type}`),
    [`${ZONE} HINFO`, `x.${ZONE} TYPE65400`, `broken.${ZONE} A`, `bad_.${ZONE} A`],
  );
  for (const { message } of imported.skipped) assert.ok(message.length > 10);
});

test('what contradicts records that were ordered, or itself, is left out and named', () => {
  const given = [{ name: 'www', type: 'A', content: '192.0.2.9' }];
  const imported = importZone(
    ZONE,
    existing([
      found('www', 'CNAME', 'elsewhere.example.net.'),
      found('two', 'CNAME', 'a.example.net.'),
      found('two', 'CNAME', 'b.example.net.'),
      found('fine', 'A', '192.0.2.1'),
    ]),
    given,
  );
  assert.deepEqual(
    imported.records.map(({ name, content }) => `${name} ${content}`),
    ['two a.example.net.', 'fine 192.0.2.1'],
  );
  assert.deepEqual(
    imported.skipped.map(({ name }) => name),
    [`two.${ZONE}`, `www.${ZONE}`],
  );
});

test('whoever sends thousands of records that contradict each other makes nobody wait', async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => [
      found(`n${at}`, 'CNAME', 'a.example.net.'),
      found(`n${at}`, 'A', '192.0.2.1'),
      found(`d${at}`, 'DS', `1 13 2 ${'ab'.repeat(32)}`),
    ]).flat();
  const given = existing(many(3_300));
  assert.ok((await cpuMs(() => importZone(ZONE, given, []))) < 10_000);
  const { records, skipped } = importZone(ZONE, given, []);
  assert.deepEqual([records.length, skipped.length], [0, 9_900]);
  const larger = importZone(ZONE, existing(many(3_400)), []);
  assert.deepEqual([larger.records.length, larger.skipped.length], [0, 10_200]);
});

test('whoever sends records that take long to read makes nobody wait either', async () => {
  const octets = `"${'\\200'.repeat(255)}"`;
  const parameters = Array.from({ length: 200 }, (_, at) => `key${at + 100}="x"`).join(' ');
  const kinds = [
    (at: number) => found(`t${at}`, 'TXT', `${octets} ${octets} ${octets}`),
    (at: number) => found(`s${at}`, 'SVCB', `1 . ${parameters}`),
    (at: number) => found(`${'a.'.repeat(100)}n${at}`, 'NS', `${'a.'.repeat(100)}n${at}.example.net.`),
  ];
  for (const kind of kinds) {
    const many = Array.from({ length: 9_000 }, (_, at) => kind(at));
    const given = existing(many);
    const { records, skipped } = importZone(ZONE, given, []);
    assert.ok((await cpuMs(() => importZone(ZONE, given, []))) < 2_000, skipped[0]?.type ?? '');
    assert.deepEqual([records.length, skipped.length], [0, 9_000]);
    assert.match(skipped[0]?.message ?? '', /1 MiB/);
    assert.equal(importZone(ZONE, existing(many.slice(0, 300)), []).records.length, 300);
  }
});

test('a domain that is transferred to be hosted here has its zone here first, and then our name servers', async () => {
  await zones.elsewhere('open-door.com', CODE);
  const order = { action: 'transfer', domain: 'open-door.com', authcode: CODE };
  const dns = { import_existing: true, records: [{ name: 'new', type: 'A', content: '192.0.2.1' }] };
  const quoted = await zones.requests.data('domain/order', { ...order, dns, dry_run: true }, token);
  const { dns_import } = await zones.order(customer, { ...order, dns, dnssec: true });
  assert.deepEqual(quoted.dns_import, dns_import, 'a quote says what an order would find');
  assert.deepEqual(
    { ...dns_import, skipped: dns_import.skipped.map(({ type }: { type: string }) => type) },
    {
      source: 'transfer',
      nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'],
      records: 6,
      complete: true,
      skipped: ['HINFO'],
      skipped_total: 1,
    },
  );
  await zones.work();
  assert.equal(
    await zones.served('open-door.com'),
    null,
    'not before its registry says that it is here (rule F2)',
  );
  await zones.run(history);
  await zones.rival.answerTransfer({ domain: 'open-door.com', tld: 'com', registry: 'sandbox' }, 'approve');
  await zones.live();
  const registered = async () => {
    const info = await zones.ports.registry.info({
      domain: 'open-door.com',
      tld: 'com',
      registry: 'sandbox',
    });
    return [info?.nameservers.map(({ hostname }) => hostname).sort(), info?.ds.length];
  };
  assert.deepEqual(await registered(), [['ns1.rival.example', 'ns2.rival.example'], 0]);
  assert.deepEqual(await zones.served('open-door.com'), [
    'mail.open-door.com A 203.0.113.25',
    'new.open-door.com A 192.0.2.1',
    'open-door.com A 203.0.113.80',
    'open-door.com MX 10 mail.open-door.com.',
    'open-door.com TXT "v=spf1 mx -all"',
    'warehouse-7.open-door.com A 203.0.113.7',
    'www.open-door.com CNAME open-door.com.',
  ]);
  await zones.run(changes);
  await zones.work();
  const ours = ['ns1.hosting.example', 'ns2.hosting.example'];
  assert.deepEqual(await registered(), [ours, 0]);
  zones.clock.set(zones.clock.now().add({ hours: 48 }));
  await zones.tick();
  await zones.tick();
  assert.deepEqual(await registered(), [ours, 1], 'signed once nobody asks the other name servers any more');
  const details = await zones.requests.data('domain/details', { domain: 'open-door.com' }, token);
  assert.equal(details.dns_hosted, true);
});

test('nobody is sent to our name servers before they serve the zone', async () => {
  await zones.elsewhere('patient.com', CODE);
  const order = { action: 'transfer', domain: 'patient.com', authcode: CODE, dns: { import_existing: true } };
  const { dns_import } = await zones.order(customer, order);
  assert.deepEqual([dns_import.source, dns_import.records], ['questions', 5]);
  await zones.work();
  await zones.rival.answerTransfer({ domain: 'patient.com', tld: 'com', registry: 'sandbox' }, 'approve');
  await zones.live();
  await zones.pool.pg.query("UPDATE zones SET visible_version = 0 WHERE name = 'patient.com'");
  await zones.run(changes);
  await zones.work();
  const { rows } = await zones.pool.pg.query("SELECT dns_hosted FROM domains WHERE name = 'patient.com'");
  assert.equal(rows[0]?.dns_hosted, false);
  await zones.pool.pg.query("UPDATE zones SET visible_version = 1 WHERE name = 'patient.com'");
  await zones.run(changes);
  await zones.work();
  const after = await zones.pool.pg.query("SELECT dns_hosted FROM domains WHERE name = 'patient.com'");
  assert.equal(after.rows[0]?.dns_hosted, true);
});

test('a name that is registered begins with what is still found of it, or with nothing, and the answer says which', async () => {
  const dns = { import_existing: true };
  const still = await zones.order(customer, { domain: 'still-there.com', dns });
  assert.deepEqual([still.dns_import.source, still.dns_import.records], ['questions', 5]);
  await zones.work();
  assert.equal((await zones.served('still-there.com'))?.length, 5);
  const nothing = await zones.order(customer, { domain: 'missing-zone.com', dns });
  assert.deepEqual([nothing.dns_import.source, nothing.dns_import.records], [null, 0]);
  const late = await zones.order(customer, { domain: 'silent-zone.com', dns });
  assert.deepEqual([late.dns_import.source, late.dns_import.complete], [null, false]);
  assert.equal((await zones.order(customer, { domain: 'not-asked.com' })).dns_import, undefined);
});

test('a domain whose zone nobody could read is not transferred into an empty one', async () => {
  await zones.elsewhere('silent-door.com', CODE);
  const transfer = { action: 'transfer', domain: 'silent-door.com', authcode: CODE };
  const dns = { import_existing: true };
  const consent = { tos: true, cancellation: true };
  const quoted = await zones.requests.data('domain/order', { ...transfer, dns, dry_run: true }, token);
  assert.deepEqual([quoted.dns_import.source, quoted.dns_import.complete], [null, false]);
  await zones.requests.refused(
    'backend_unavailable',
    'domain/order',
    { ...transfer, dns, ...consent },
    token,
  );
  const refused = await zones.requests.refused(
    'order_items_refused',
    'domain/order-many',
    { names: [transfer], dns, ...consent },
    token,
  );
  assert.equal(refused.errors[0].refusal, 'backend_unavailable');
  const { rows } = await zones.pool.pg.query("SELECT FROM domains WHERE name = 'silent-door.com'");
  assert.equal(rows.length, 0, 'and nothing is on hold for it');
  assert.equal((await zones.order(customer, { ...transfer, ...consent })).action, 'transfer');
});

test('of many names, each has what its own name servers have', async () => {
  const names = ['first-of-two.com', 'missing-of-two.com'].map((domain) => ({ domain }));
  const { period: _, ...basket } = DOMAIN_ORDER;
  const received = await zones.requests.call(
    'domain/order-many',
    { ...basket, names, dns: { import_existing: true } },
    token,
  );
  assert.equal(received.status, 202, received.text);
  const { results } = received.body.data;
  assert.deepEqual(
    results.map(({ dns_import }: { dns_import: { records: number } }) => dns_import.records),
    [5, 0],
  );
  await zones.work();
  assert.equal((await zones.served('first-of-two.com'))?.length, 5);
  assert.deepEqual(await zones.served('missing-of-two.com'), []);
});

test('a domain of another customer here brings its zone: there is nothing to say of it', async () => {
  const owner = await zones.customer(100_000n);
  const id = await zones.zone(owner, 'is-here.com', { transfer_lock: false });
  await zones.pool.pg.query(
    'UPDATE domains SET authcode_sealed = $2, authcode_expires_at = $3, transfer_lock_until = NULL WHERE id = $1',
    [id, zones.sealer.seal(DOMAIN_AUTHCODE, CODE), zones.clock.now().add({ hours: 24 }).toString()],
  );
  const order = { action: 'transfer', domain: 'is-here.com', authcode: CODE, tos: true, cancellation: true };
  const dns = { import_existing: true };
  const { errors } = await zones.requests.refused(
    'validation_failed',
    'domain/order',
    { ...order, dns },
    token,
  );
  assert.equal(errors[0].pointer, '/dns');
});

test('what was kept for a transfer that came to nothing is forgotten', async () => {
  await zones.elsewhere('kept-there.com', CODE);
  const order = {
    action: 'transfer',
    domain: 'kept-there.com',
    authcode: CODE,
    dns: { import_existing: true },
  };
  await zones.order(customer, order);
  await zones.work();
  const kept = async () => (await zones.pool.pg.query('SELECT FROM zone_drafts')).rows.length;
  assert.equal(await kept(), 1);
  await zones.rival.answerTransfer({ domain: 'kept-there.com', tld: 'com', registry: 'sandbox' }, 'reject');
  await zones.live();
  await zones.run(history);
  assert.equal(await kept(), 0);
});
