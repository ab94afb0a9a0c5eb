import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readAddress } from './network.ts';
import { readSubnet, reverseName, type Subnet } from './subnet.ts';

function read(text: string): Subnet {
  const subnet = readSubnet(text);
  assert.ok(subnet, text);
  return subnet;
}

function numberOf(text: string): bigint {
  const address = readAddress(text);
  assert.ok(address, text);
  return address.value;
}

const anySubnet = fc.oneof(
  fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
  fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
);

test('an IPv4 network', () => {
  assert.deepEqual(read('192.0.2.77/26'), {
    address: '192.0.2.77',
    family: 4,
    prefix: 26,
    cidr: '192.0.2.64/26',
    network: '192.0.2.64',
    netmask: '255.255.255.192',
    broadcast: '192.0.2.127',
    firstHost: '192.0.2.65',
    lastHost: '192.0.2.126',
    total: 64n,
    usable: 62n,
    reverseZone: '2.0.192.in-addr.arpa',
  });
});

test('an IPv6 network', () => {
  assert.deepEqual(read('2001:DB8:0:0:1::/64'), {
    address: '2001:db8:0:0:1::',
    family: 6,
    prefix: 64,
    cidr: '2001:db8::/64',
    network: '2001:db8::',
    netmask: null,
    broadcast: null,
    firstHost: '2001:db8::1',
    lastHost: '2001:db8::ffff:ffff:ffff:ffff',
    total: 18_446_744_073_709_551_616n,
    usable: 18_446_744_073_709_551_615n,
    reverseZone: '0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
  });
});

test('all of IPv6 is counted to the last address', () => {
  const { total, lastHost, reverseZone } = read('::/0');
  assert.equal(String(total), '340282366920938463463374607431768211456');
  assert.equal(lastHost, 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff');
  assert.equal(reverseZone, 'ip6.arpa');
  assert.equal(read('0.0.0.0/0').total, 4_294_967_296n);
  assert.equal(read('0.0.0.0/0').netmask, '0.0.0.0');
});

test('one address is a network of itself; of two, both are hosts', () => {
  for (const text of ['192.0.2.1', '192.0.2.1/32', '2001:db8::1', '2001:db8::1/128']) {
    const { address, firstHost, lastHost, usable, total, broadcast, cidr } = read(text);
    assert.deepEqual([firstHost, lastHost, usable, total, broadcast], [address, address, 1n, 1n, null]);
    assert.equal(cidr, `${address}/${text.includes(':') ? 128 : 32}`);
  }
  const { usable, broadcast, firstHost, lastHost } = read('192.0.2.0/31');
  assert.deepEqual([usable, broadcast, firstHost, lastHost], [2n, null, '192.0.2.0', '192.0.2.1']);
  assert.equal(read('2001:db8::/127').usable, 2n);
});

test('reverse zones are cut at octets and nibbles', () => {
  assert.equal(read('10.20.30.0/20').reverseZone, '20.10.in-addr.arpa');
  assert.equal(read('10.20.30.40').reverseZone, '30.20.10.in-addr.arpa');
  assert.equal(read('2001:db8:1234::/45').reverseZone, '3.2.1.8.b.d.0.1.0.0.2.ip6.arpa');
  assert.equal(reverseName({ family: 4, value: numberOf('192.0.2.1') }), '1.2.0.192.in-addr.arpa');
  assert.equal(
    reverseName({ family: 6, value: numberOf('2001:db8::1') }),
    '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
  );
});

test('IPv4 in IPv6 is IPv4; with a prefix length it is a network of IPv6', () => {
  assert.equal(read('::ffff:192.0.2.1').cidr, '192.0.2.1/32');
  assert.equal(read('::ffff:192.0.2.1/96').cidr, '::ffff:0:0/96');
  assert.equal(read('::/80').lastHost, '::ffff:ffff:ffff');
  assert.equal(read('::/90').lastHost, '::3f:ffff:ffff');
  assert.equal(read('::fffe:0:0/95').lastHost, '::ffff:ffff:ffff');
});

test('what is no network is none', () => {
  const wrong = [
    '',
    '/',
    '1.2.3',
    '1.2.3.4/33',
    '::/129',
    '1.2.3.4/',
    '1.2.3.4/08',
    '1.2.3.4/-1',
    '1.2.3.4/8/8',
  ];
  for (const text of [...wrong, 'fe80::1%eth0', '01.2.3.4', '::1::', 'example.com', '1.2.3.4/8.0']) {
    assert.equal(readSubnet(text), null, text);
  }
});

test('any network holds its address, hosts are inside, and the counts are exact', () => {
  fc.assert(
    fc.property(anySubnet, ([address, prefix]) => {
      const subnet = read(`${address}/${prefix}`);
      const bits = subnet.family === 4 ? 32 : 128;
      const [first, at, from, to] = [subnet.network, subnet.address, subnet.firstHost, subnet.lastHost].map(
        numberOf,
      );
      assert.ok(first !== undefined && at !== undefined && from !== undefined && to !== undefined);
      assert.equal(subnet.total, 2n ** BigInt(bits - prefix));
      assert.equal(first % subnet.total, 0n);
      assert.ok(first <= at && at < first + subnet.total);
      assert.ok(first <= from && from <= to && to < first + subnet.total);
      assert.equal(to - from + 1n, subnet.usable);
      if (subnet.netmask !== null) assert.equal(numberOf(subnet.netmask) & at, first);
      if (subnet.broadcast !== null) assert.equal(numberOf(subnet.broadcast), first + subnet.total - 1n);
    }),
  );
});

test('a network read again is the same, and so is every address in it', () => {
  fc.assert(
    fc.property(anySubnet, ([address, prefix]) => {
      const subnet = read(`${address}/${prefix}`);
      for (const other of [subnet.network, subnet.firstHost, subnet.lastHost]) {
        assert.deepEqual({ ...read(`${other}/${prefix}`), address: '' }, { ...subnet, address: '' });
      }
      assert.equal(read(subnet.cidr).cidr, subnet.cidr);
    }),
  );
});
