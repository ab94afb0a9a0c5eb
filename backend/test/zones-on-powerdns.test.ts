// Slow: 20 s

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { SandboxRegistry } from '../src/drivers/registry/sandbox/registry.ts';
import { delv } from './delv.ts';
import { dig } from './dig.ts';
import { OWNER } from './domains.ts';
import { openHarness } from './harness.ts';
import { startNameServers } from './powerdns.ts';
import { until } from './until.ts';

const servers = await startNameServers();
after(() => servers.stop());
const { primary, secondary, api, tsigKey, catalog } = servers;
const harness = await openHarness({
  upkeep: true,
  settings: {
    powerdnsUrl: api.url,
    powerdnsKey: api.key,
    powerdnsTsigKey: tsigKey,
    powerdnsCatalog: catalog,
    nameservers: [
      { hostname: 'ns1.hostkeep.example', addresses: [primary] },
      { hostname: 'ns2.hostkeep.example', addresses: [secondary] },
    ],
  },
});
const customer = await harness.customer();
const WITHIN_MS = 2_000;

/** Asks both name servers until they answer so; the milliseconds that it took. */
async function answered(name: string, type: string, wanted: readonly string[]): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const answers = await Promise.all(
      [primary, secondary].map(async (server) => (await dig(server, '+short', name, type)).toSorted()),
    );
    const took = performance.now() - begun;
    if (answers.every((found) => found.join() === wanted.toSorted().join())) return took;
    assert.ok(took < 60 * WITHIN_MS, `${name} ${type}: ${JSON.stringify(answers)}`);
    await setTimeout(20);
  }
}

/** The quickest of three counts: the promise is of a machine that has nothing else to do. */
async function inTime(answeredAfter: (time: number) => Promise<number>): Promise<void> {
  const took: number[] = [];
  do took.push(await answeredAfter(took.length));
  while (took.length < 3 && Math.min(...took) > WITHIN_MS);
  assert.ok(Math.min(...took) <= WITHIN_MS, `${took.map((each) => each.toFixed(0)).join(', ')} ms`);
}

const ordered = async (domain: string, input: object) => ({
  as: customer,
  input: { domain, contacts: { owner: OWNER }, tos: true, cancellation: true, ...input },
});

// The catalog that the secondary reads is made with the first zone, and everything is loaded for the first time.
before(async () => {
  await harness.data('domain/order', { ...(await ordered('first.com', {})), headers: { prefer: 'wait=20' } });
});

test('two seconds after an order every name server answers with its records, and signed as the parent says', async () => {
  const records = [
    { name: 'www', type: 'A', content: '192.0.2.7' },
    { name: '@', type: 'TXT', content: 'hello world' },
  ];
  await inTime(async (time) => {
    const name = time === 0 ? 'end-to-end.com' : `end-to-end-${time}.com`;
    await harness.data('domain/order', await ordered(name, { dns: { records }, dnssec: true }));
    return await answered(`www.${name}`, 'A', ['192.0.2.7']);
  });
  const registry = new SandboxRegistry({ db: harness.pool, clock: harness.clock });
  const ref = { domain: 'end-to-end.com', tld: 'com', registry: 'sandbox' };
  const given = async () => {
    const ds = (await registry.info(ref))?.ds ?? [];
    return ds.length > 0 ? ds : null;
  };
  const ds = await until(given, () => 'the registry has no DS', 20);
  assert.equal(ds.length, 1);
  for (const server of [primary, secondary])
    assert.match(await delv(server, 'end-to-end.com', ds, 'www.end-to-end.com', 'A'), /fully validated/);
});

test('two seconds after dns-update every name server answers with the new records, validated', async () => {
  const update = (input: object, headers = {}) =>
    harness.data('domain/dns-update', {
      as: customer,
      input: { domain: 'end-to-end.com', ...input },
      headers,
    });
  const create = (name: string, type: string, content: string, more = {}) => ({
    action: 'create',
    name,
    type,
    content,
    ...more,
  });
  await inTime(async (time) => {
    await update({ changes: [create(`quick-${time}`, 'A', '192.0.2.5')] });
    return await answered(`quick-${time}.end-to-end.com`, 'A', ['192.0.2.5']);
  });
  const { diff } = await update({
    changes: [
      create('new', 'A', '192.0.2.8'),
      create('@', 'MX', 'mail.example.net', { priority: 10 }),
      create('@', 'CAA', '0 issue "ca.example.net"'),
    ],
  });
  await answered('new.end-to-end.com', 'A', ['192.0.2.8']);
  await answered('end-to-end.com', 'MX', ['10 mail.example.net.']);
  const [added] = diff.added;
  const changes = [{ action: 'update', id: added.id, content: '192.0.2.9' }];
  const waited = await update({ changes }, { prefer: 'wait=20' });
  assert.equal(waited.task.state, 'succeeded');
  assert.deepEqual([waited.published.nameservers_total, waited.published.nameservers_current], [2, 2]);
  for (const server of [primary, secondary])
    assert.deepEqual(
      await dig(server, '+short', 'new.end-to-end.com'),
      ['192.0.2.9'],
      'once the task has ended',
    );
  const { zone } = await harness.data('domain/dns-records', {
    as: customer,
    input: { domain: 'end-to-end.com' },
  });
  assert.equal(zone.dnssec.state, 'on');
  const ds = zone.dnssec.ds.map((one: Record<string, unknown>) => ({
    keyTag: one.key_tag,
    algorithm: one.algorithm,
    digestType: one.digest_type,
    digest: one.digest,
  }));
  assert.match(await delv(secondary, 'end-to-end.com', ds, 'new.end-to-end.com', 'A'), /fully validated/);
});

test('a zone of 10,000 records is imported from a zone file, and one changed record is answered in time', async () => {
  await harness.data('domain/order', { ...(await ordered('large.com', {})), headers: { prefer: 'wait=20' } });
  const lines = Array.from({ length: 9_999 }, (_, at) => `h${at} 300 A 192.0.2.${at % 250}`);
  const zonefile = `$TTL 3600\n${lines.join('\n')}\n`;
  const input = { domain: 'large.com', zonefile, mode: 'replace' };
  const { diff } = await harness.data('domain/dns-update', {
    as: customer,
    input,
    headers: { prefer: 'wait=30' },
  });
  assert.equal(diff.added.length, 9_999);
  await answered('h9998.large.com', 'A', ['192.0.2.248']);
  await inTime(async (time) => {
    const changes = [{ action: 'create', name: `one-more-${time}`, type: 'A', content: '192.0.2.1' }];
    await harness.data('domain/dns-update', { as: customer, input: { domain: 'large.com', changes } });
    return await answered(`one-more-${time}.large.com`, 'A', ['192.0.2.1']);
  });
  assert.deepEqual(harness.logged, []);
});
