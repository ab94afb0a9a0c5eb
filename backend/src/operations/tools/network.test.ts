import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { NO_LOOKUPS } from '../../../test/lookups.ts';
import { openRequests } from '../../../test/requests.ts';
import type { Resolver } from '../../drivers/resolver/port.ts';

const fixture = await openFixture();
const { secret: token } = await fixture.customer(0n);

/** A DNS with what is given, and what it was asked. */
function dns(records: Readonly<Record<string, readonly string[]>>) {
  const asked: string[] = [];
  const answer = async (name: string) => {
    asked.push(name);
    return records[name] ?? [];
  };
  const resolver: Resolver = { addresses: answer, pointers: answer, texts: answer, nameservers: answer };
  return { asked, ...openRequests(fixture, { ports: { ...NO_LOOKUPS, resolver } as never }) };
}

test('a network of documentation addresses is computed, and nobody is asked', async () => {
  const { asked, data } = dns({});
  assert.deepEqual(await data('tools/network', { address: '192.0.2.77/26' }, { token }), {
    address: '192.0.2.77',
    version: 4,
    cidr: '192.0.2.64/26',
    network: '192.0.2.64',
    netmask: '255.255.255.192',
    broadcast: '192.0.2.127',
    first_host: '192.0.2.65',
    last_host: '192.0.2.126',
    total_addresses: '64',
    usable_addresses: '62',
    scope: 'documentation',
    reverse_zone: '2.0.192.in-addr.arpa',
    ptr: null,
    resolved: [],
    asn: null,
    country: null,
  });
  assert.deepEqual(asked, []);
});

test('all of IPv6 is counted exactly', async () => {
  const { data } = dns({});
  const { total_addresses, usable_addresses } = await data('tools/network', { address: '::/0' }, { token });
  assert.equal(total_addresses, '340282366920938463463374607431768211456');
  assert.equal(usable_addresses, '340282366920938463463374607431768211455');
});

test('a public address has its PTR and its origin', async () => {
  const { data } = dns({
    '9.9.9.9.in-addr.arpa': ['not a name', 'dns9.example.net'],
    '9.9.9.origin.asn.cymru.com': ['19281 | 9.9.9.0/24 | CH | arin | 2017-09-13'],
    'AS19281.asn.cymru.com': ['19281 | CH | arin | 2017-09-13 | EXAMPLE, CH'],
  });
  const { ptr, asn, country, scope, cidr } = await data('tools/network', { address: '9.9.9.9' }, { token });
  assert.deepEqual([ptr, country, scope, cidr], ['dns9.example.net', 'CH', 'global', '9.9.9.9/32']);
  assert.deepEqual(asn, { number: 19281, name: 'EXAMPLE, CH' });
});

test('without an address it is the caller’s own', async () => {
  const { data } = dns({});
  const answer = await data('tools/network', {}, { token, ip: '::ffff:198.51.100.7' });
  assert.deepEqual([answer.address, answer.version, answer.scope], ['198.51.100.7', 4, 'documentation']);
});

test('a host name has all its addresses, and the first is looked at', async () => {
  const { data } = dns({ 'xn--bcher-kva.example': ['192.0.2.1', '2001:db8::1'] });
  const answer = await data('tools/network', { address: 'Bücher.example.' }, { token });
  assert.deepEqual([answer.resolved, answer.address], [['192.0.2.1', '2001:db8::1'], '192.0.2.1']);
});

test('no PTR and no origin is asked for an address that is not of the Internet, however it is named', async () => {
  const { asked, data } = dns({ 'inside.example.com': ['10.0.0.5'] });
  for (const address of [
    '10.0.0.5',
    '127.0.0.1',
    '169.254.169.254',
    'fd00::1',
    '100.64.0.1',
    '::ffff:10.0.0.1',
  ]) {
    const answer = await data('tools/network', { address }, { token });
    assert.deepEqual([answer.ptr, answer.asn, answer.country], [null, null, null], address);
  }
  assert.deepEqual(asked, []);
  const { scope, ptr } = await data('tools/network', { address: 'inside.example.com' }, { token });
  assert.deepEqual([scope, ptr, asked], ['private', null, ['inside.example.com']]);
});

test('names of private networks are not looked up', async () => {
  const { asked, refused } = dns({});
  for (const address of [
    'localhost',
    'db',
    'nas.local',
    'api.internal',
    'router.home.arpa',
    'x.onion',
    'a.test',
  ]) {
    await refused('validation_failed', 'tools/network', { address }, { token });
  }
  assert.deepEqual(asked, []);
});

test('what is no address, network or name is refused, and so is a name without an address', async () => {
  const { refused } = dns({});
  const wrong = [
    '',
    ' ',
    '10.0.0.0/33',
    '::/129',
    '1.2.3',
    'a_b.example',
    'fe80::1%eth0',
    'http://example.com/',
  ];
  for (const address of [...wrong, 'none.example.com']) {
    const { errors } = await refused('validation_failed', 'tools/network', { address }, { token });
    assert.equal(errors[0].pointer, '/address', address);
  }
});

test('a resolver that is away costs the PTR and the origin; without one, a name has no answer', async () => {
  const { data, refused } = openRequests(fixture, { ports: NO_LOOKUPS as never });
  const { ptr, asn, cidr } = await data('tools/network', { address: '9.9.9.9/8' }, { token });
  assert.deepEqual([ptr, asn, cidr], [null, null, '9.0.0.0/8']);
  await refused('backend_unavailable', 'tools/network', { address: 'example.com' }, { token });
});
