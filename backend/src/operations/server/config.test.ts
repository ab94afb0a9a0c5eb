import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';

const site = await openServers(({ hosts }) => {
  Object.assign(hosts[0]?.networks.ipv4 ?? {}, {
    reverse_zone: '18.198.in-addr.arpa',
    name_template: 'static-{address}.fra1.example.net',
  });
});
const { data, refused } = openRequests(site);
const who = await site.customer(100_000n);
const token = who.secret;

test('every field of the interface is there, with its name and its type, and the additive ones', async () => {
  const order = await site.order(who, { password: 'correct horse battery', custom_name: 'first' });
  await site.work();
  const { config, hostsystem, ...rest } = await data('server/config', { uuid: order.server_uuid }, { token });
  assert.deepEqual(hostsystem, {
    datacenter: { name: 'fra1', country: 'DE', city: 'Frankfurt' },
    node: 'fra-epyc-01',
    processor: 'EPYC',
    memory: 'DDR5',
    disk: 'NVMe',
  });
  const address = order.config.ipv4.ip_address;
  assert.deepEqual(config, {
    cores: '1',
    memory: '2048',
    disk: '40',
    os: { name: 'debian-13', displayname: 'Debian 13' },
    username: 'root',
    password: 'correct horse battery',
    hostname: 'web.example.com',
    uplink: '1000',
    ipv4: {
      ip_address: address,
      ip_gateway: '198.18.0.1',
      ddos_protection: 'Standard',
      rdns: `static-${address.replaceAll('.', '-')}.fra1.example.net`,
    },
    ipv6: { ip_address: order.config.ipv6.ip_address, ip_gateway: 'fe80::1' },
  });
  assert.deepEqual(rest, {
    uuid: order.server_uuid,
    state: 'active',
    custom_name: 'first',
    expire_at: order.expire_at,
    auto_renew: false,
    version: 2,
  });
});

test('what a server does not have is an empty text, never null and never missing', async () => {
  await site.importServers(({ hosts, terms }) => {
    terms.version = 'v6 only';
    for (const host of hosts) host.configuration.ipv4 = { min: 0, max: 4, step: 1 };
  });
  const size = { pack_uuid: undefined, cores: 1, memory: 1024, disk: 20 };
  const none = await site.order(who, { ...size, ipv4: 0, ipv6: false });
  await site.pool.pg.query('UPDATE servers SET password_sealed = NULL WHERE id = $1', [none.server_uuid]);
  const { config, custom_name } = await data('server/config', { uuid: none.server_uuid }, { token });
  assert.deepEqual(config.ipv4, { ip_address: '', ip_gateway: '', ddos_protection: '', rdns: '' });
  assert.deepEqual(config.ipv6, { ip_address: '', ip_gateway: '' });
  assert.equal(config.password, '');
  assert.equal(custom_name, null);
  const plain = await site.order(who, { host: 'hel-ryzen', ...size });
  const shown = await data('server/config', { uuid: plain.server_uuid }, { token });
  assert.equal(shown.config.ipv4.rdns, '', 'a pool without names');
});

test('a server that is not there and one of another customer are the same 404', async () => {
  const order = await site.order(who);
  const other = await site.customer(0n);
  const missing = '00000000-0000-4000-8000-000000000000';
  const bodies = await Promise.all([
    refused('not_found', 'server/config', { uuid: order.server_uuid }, { token: other.secret }),
    refused('not_found', 'server/config', { uuid: missing }, { token: other.secret }),
    refused('not_found', 'server/status', { uuid: order.server_uuid }, { token: other.secret }),
    refused('not_found', 'server/os', { uuid: order.server_uuid }, { token: other.secret }),
    refused('not_found', 'task/details', { uuid: order.task.uuid }, { token: other.secret }),
  ]);
  for (const { response, errors } of bodies) {
    assert.deepEqual({ response, errors }, { response: bodies[0]?.response, errors: [] });
  }
});

test('the configuration of a server whose host the catalogue has dropped is still shown', async () => {
  const order = await site.order(who, {
    host: 'hel-ryzen',
    pack_uuid: undefined,
    cores: 1,
    memory: 1024,
    disk: 20,
  });
  await site.pool.pg.query(
    "UPDATE services SET ended_at = '2027-01-16', state = 'deleted' WHERE id IN (SELECT id FROM servers WHERE host = 'hel-ryzen')",
  );
  await site.pool.pg.query("UPDATE servers SET removed_at = '2027-01-16' WHERE host = 'hel-ryzen'");
  await site.importServers(({ hosts }) => {
    hosts.pop();
  });
  const shown = await data('server/config', { uuid: order.server_uuid }, { token });
  assert.equal(shown.hostsystem.processor, '');
  assert.deepEqual(shown.hostsystem.datacenter, { name: '', country: '', city: '' });
  const list = await data('server/list', { host: 'hel-ryzen' }, { token });
  assert.ok(list.servers.length > 0);
});

test('the password is an empty text for a token that may not read passwords', async () => {
  const { server_uuid: uuid } = await site.order(who, { password: 'correct horse battery' });
  await site.work();
  const shownTo = async (scopes: readonly string[]) => {
    const limited = await data('account/token-create', { name: 'test', scopes }, { token });
    return (await data('server/config', { uuid }, { token: limited.token })).config.password;
  };
  assert.equal(await shownTo(['server:read']), '');
  assert.equal(await shownTo(['server:read', 'server:write', 'server:console', 'panel:*']), '');
  assert.equal(await shownTo(['server:read', 'server:read_password']), 'correct horse battery');
  assert.equal(await shownTo(['server:*']), 'correct horse battery');
});
