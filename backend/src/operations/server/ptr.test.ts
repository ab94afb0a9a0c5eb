// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';
import named from '../../business/servers/network/named.job.ts';

const ZONE4 = '18.198.in-addr.arpa';
const ZONE6 = '0.0.1.8.b.d.0.1.0.0.2.ip6.arpa';

const site = await openServers(({ hosts }) => {
  const [fra] = hosts;
  if (fra === undefined) throw new Error('a host');
  const name_template = 'static-{address}.fra1.example.net';
  Object.assign(fra.networks.ipv4, { reverse_zone: ZONE4, name_template });
  Object.assign(fra.networks.ipv6, { reverse_zone: ZONE6, name_template });
});
const { call, data, refused } = openRequests(site, { ports: { ...site.ports, registry: {} } as never });
const who = await site.customer(100_000n);
const token = who.secret;
const { server_uuid: uuid } = await site.order(who, { rdns: 'Mail.Customer.example' });
await site.work();

const addresses = () => data('server/ipaddresses', { uuid }, { token });
const { ipv4, ipv6, total } = await addresses();
const address: string = ipv4[0].ip_address;
const network: string = ipv6[0].ip_address;
const single = network.replace(/\/64$/, '25');
const standard = `static-${address.replaceAll('.', '-')}.fra1.example.net`;

async function set(ip_address: string, rdns: string | null, more: object = {}) {
  const received = await call('server/ptr', { uuid, ip_address, rdns, ...more }, { token });
  const { task, ...answer } = received.body.data ?? assert.fail(received.text);
  if (task === null) return answer;
  assert.deepEqual([received.status, task.type, task.state], [202, 'server.ptr', 'queued']);
  const state = async () => (await data('task/details', { uuid: task.uuid }, { token })).task.state;
  await site.run(named);
  assert.equal(await state(), 'queued', 'nothing is published yet');
  await site.work();
  await site.run(named);
  assert.equal(await state(), 'succeeded');
  return answer;
}

/** What the name server answers. */
async function served(zone: string): Promise<Record<string, string[]>> {
  await site.work();
  const { rows } = await site.sandbox.pg.query<{ name: string; records: string[] }>(
    "SELECT name, records FROM sandbox.dns_rrsets WHERE zone = $1 AND type = 'PTR'",
    [zone],
  );
  return Object.fromEntries(rows.map(({ name, records }) => [name, records]));
}

const reversed = () => `${address.split('.').reverse().join('.')}.in-addr.arpa`;

test('the addresses of a server are shown with what it takes to use them', () => {
  assert.equal(total, 2);
  assert.match(ipv4[0].mac_address, /^02(:[0-9a-f]{2}){5}$/);
  assert.deepEqual(
    [ipv4[0].prefix_length, ipv4[0].netmask, ipv4[0].ip_gateway, ipv4[0].primary, ipv4[0].state],
    [24, '255.255.255.0', '198.18.0.1', true, 'active'],
  );
  assert.deepEqual([ipv6[0].prefix_length, ipv6[0].ip_gateway, ipv6[0].rdns_entries], [64, 'fe80::1', []]);
  assert.notEqual(ipv4[0].uuid, ipv6[0].uuid);
});

test('the name that was ordered is served as soon as the server is there', async () => {
  assert.equal(ipv4[0].rdns, 'mail.customer.example');
  assert.deepEqual(await served(ZONE4), { [reversed()]: ['mail.customer.example.'] });
});

test('another name is served, and null restores the pool’s', async () => {
  const changed = await set(address, 'WWW.customer.example');
  assert.deepEqual(changed, {
    uuid,
    ip_address: address,
    ip_version: 4,
    rdns: 'www.customer.example',
    previous_rdns: 'mail.customer.example',
    forward_confirmed: null,
    ttl: 3600,
  });
  assert.deepEqual(await served(ZONE4), { [reversed()]: ['www.customer.example.'] });
  assert.equal((await set(address, null)).rdns, standard);
  assert.deepEqual(await served(ZONE4), { [reversed()]: [`${standard}.`] });
  const { rows } = await site.pool.pg.query(
    "SELECT body FROM events WHERE type = 'server.rdns_changed' ORDER BY sequence",
  );
  assert.deepEqual(
    rows.map(({ body }) => body.rdns),
    ['www.customer.example', standard],
  );
});

test('single addresses of the IPv6 network have names, any notation of them the same', async () => {
  const changed = await set(single.replace('::', ':0::').toUpperCase(), 'six.customer.example');
  assert.deepEqual([changed.ip_address, changed.ip_version, changed.previous_rdns], [single, 6, null]);
  assert.equal((await addresses()).ipv6[0].rdns_entries[0].ip_address, single);
  assert.deepEqual(Object.values(await served(ZONE6)), [['six.customer.example.']]);
  assert.equal((await set(single, null)).rdns, null);
  assert.deepEqual(await served(ZONE6), {});
});

test('at most 256 of them (rule F11)', async () => {
  await site.pool.pg.query(
    `INSERT INTO address_names SELECT $1::inet::cidr + n, $2::inet, 'x.example'
     FROM generate_series(1000, 1255) n`,
    [network.replace('/64', '/128'), network],
  );
  await refused('limit_reached', 'server/ptr', { uuid, ip_address: single, rdns: 'a.example' }, { token });
  await site.pool.pg.query('DELETE FROM address_names');
});

test('addresses of others are nobody’s here', async () => {
  const other = await site.order(who);
  await site.work();
  const { ip_address } = other.config.ipv4;
  for (const asked of [ip_address, other.config.ipv6.ip_address.replace('/64', '1'), '192.0.2.1'])
    await refused('ip_not_assigned', 'server/ptr', { uuid, ip_address: asked, rdns: null }, { token });
});

test('a name must lead to the address, when that was asked for', async () => {
  const asked = { uuid, ip_address: address, rdns: 'there.example', check_forward: true };
  await refused('forward_mismatch', 'server/ptr', asked, { token });
  await site.sandbox.pg.query(
    "INSERT INTO sandbox.names (name, type, value) VALUES ('there.example', 'A', $1)",
    [address],
  );
  assert.equal((await set(address, 'there.example', { check_forward: true })).forward_confirmed, true);
});

test('no address is called what is no host name, the operator’s, or under a domain of another customer', async () => {
  const other = await site.customer(10_000n);
  await site.pool.pg.query(
    `INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
       expire_at, created_at)
     VALUES (gen_random_uuid(), $1, 'domain', 'com', 'taken.example', 'active', false, 1, 'year', 1, '2030-01-01',
       '2027-01-01')`,
    [other.accountId],
  );
  const names = ['-', 'a', 'a b.example', 'x.taken.example', 'taken.example', 'x.fra1.example.net'];
  for (const rdns of [...names, 'ns1.hosting.example', 'hostkeep.example'])
    await refused('rdns_invalid', 'server/ptr', { uuid, ip_address: address, rdns }, { token });
});

test('where the pool has no reverse zone there are no names', async () => {
  const { server_uuid, config } = await site.order(who, {
    host: 'hel-ryzen',
    pack_uuid: undefined,
    cores: 1,
    memory: 1024,
    disk: 20,
  });
  await site.work();
  const asked = { uuid: server_uuid, ip_address: config.ipv4.ip_address, rdns: 'a.example' };
  await refused('not_supported_by_backend', 'server/ptr', asked, { token });
});

test('with the server its names leave the DNS, before anybody else has its addresses', async () => {
  await set(single, 'six.customer.example');
  await site.pool.pg.query("UPDATE services SET state = 'deleted' WHERE id = $1", [uuid]);
  await site.pool.pg.query(
    "SELECT graphile_worker.add_job('server.converge', json_build_object('server_id', $1::text))",
    [uuid],
  );
  assert.deepEqual(await served(ZONE6), {});
  assert.ok(!(reversed() in (await served(ZONE4))));
  const { rows } = await site.pool.pg.query('SELECT FROM address_names');
  assert.equal(rows.length, 0);
});
