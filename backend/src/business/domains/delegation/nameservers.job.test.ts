import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openZones } from '../../../../test/zones.ts';
import nameservers from './nameservers.job.ts';

const zones = await openZones();
const { ports } = zones;
const customer = await zones.customer(100_000n);
const BEFORE = ['ns1.hosting.example', 'ns2.hosting.example'];
const AFTER = ['ns1.hosting.example', 'ns7.hosting.example', 'ns8.hosting.example'];

async function atRegistry(domain: string): Promise<string[]> {
  const found = await ports.registry.info({ domain, tld: 'com', registry: 'sandbox' });
  return (found?.nameservers ?? []).map(({ hostname }) => hostname).sort();
}

async function inZone(domain: string): Promise<string[]> {
  const { rows } = await zones.pool.pg.query<{ nameservers: string[] }>(
    'SELECT nameservers FROM sandbox.dns_zones WHERE zone = $1',
    [domain],
  );
  return rows[0]?.nameservers ?? [];
}

test('zones follow the catalogue’s name servers, and their delegations once the new ones serve them', async () => {
  await zones.zone(customer, 'follows.com', { dnssec: true });
  await zones.zone(customer, 'elsewhere.com');
  const theirs = ['ns1.example.net', 'ns2.example.net'];
  const input = { domain: 'elsewhere.com', nameservers: theirs.map((hostname) => ({ hostname })) };
  await zones.requests.call('domain/nameservers', input, { token: customer.secret });
  await zones.work();
  await zones.run(nameservers);
  await zones.work();
  assert.deepEqual(await atRegistry('follows.com'), BEFORE);
  const { ds, version } = await zones.row('follows.com');

  await zones.importServers((document) => Object.assign(document, { nameservers: AFTER }));
  await zones.run(nameservers);
  assert.deepEqual(await atRegistry('follows.com'), BEFORE);
  await zones.run(nameservers);
  assert.deepEqual(await inZone('follows.com'), BEFORE, 'what is not published yet is not delegated to');
  await zones.work();
  assert.deepEqual(await inZone('follows.com'), AFTER);
  assert.deepEqual(await atRegistry('follows.com'), BEFORE);
  await zones.run(nameservers);
  await zones.work();
  assert.deepEqual(await atRegistry('follows.com'), AFTER);
  assert.deepEqual(await atRegistry('elsewhere.com'), theirs);
  const after = await zones.row('follows.com');
  assert.deepEqual([after.dnssec, after.ds, after.version], ['on', ds, version]);
  const { nameservers: shown } = await zones.requests.data(
    'domain/details',
    { domain: 'follows.com' },
    { token: customer.secret },
  );
  assert.deepEqual(
    shown.map(({ hostname }: { hostname: string }) => hostname),
    AFTER,
  );
});
