import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contains, networksBetween, overlap, readAddress, readNetwork, writeAddress } from './network.ts';

test('an address is read as the number that it is, in every spelling of RFC 4291 without IPv4 in it', () => {
  assert.deepEqual(readAddress('192.0.2.1'), { family: 4, value: 0xc0000201n });
  const value = 0x20010db8_00000000_00000000_00000001n;
  for (const text of ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '2001:0db8::0001', '2001:db8:0:0::1']) {
    assert.deepEqual(readAddress(text), { family: 6, value }, text);
  }
  assert.deepEqual(readAddress('::'), { family: 6, value: 0n });
  assert.deepEqual(readAddress('fe80::'), { family: 6, value: 0xfe80n << 112n });
});

test('what is no address is null', () => {
  const wrong = [
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '256.0.0.1',
    '01.2.3.4',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    'g::',
  ];
  wrong.push(
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4::5:6:7:8',
    '12345::',
    'fe80::1%eth0',
    '::ffff:192.0.2.1',
    '::1/64',
    ' ::1',
  );
  for (const text of wrong) assert.equal(readAddress(text), null, text);
});

test('a network holds the addresses of its prefix and has no host bits', () => {
  const network = readNetwork('198.18.16.0/20');
  assert.ok(network !== null);
  assert.equal(network.last - network.first, 4095n);
  for (const [text, inside] of [
    ['198.18.16.0', true],
    ['198.18.31.255', true],
    ['198.18.32.0', false],
    ['::1', false],
  ] as const) {
    const address = readAddress(text);
    assert.equal(address !== null && contains(network, address), inside, text);
  }
  for (const text of [
    '198.18.1.0/20',
    '2001:db8::1/64',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/08',
    '10.0.0.0',
    '/8',
  ]) {
    assert.equal(readNetwork(text), null, text);
  }
});

test('two networks overlap exactly when one holds the first address of the other', () => {
  const cidr = fc.tuple(fc.nat(255), fc.integer({ min: 8, max: 32 })).map(([octet, prefix]) => {
    const value = ((BigInt(octet) << 16n) >> BigInt(32 - prefix)) << BigInt(32 - prefix);
    return `0.${(value >> 16n) & 255n}.0.0/${prefix}`;
  });
  fc.assert(
    fc.property(cidr, cidr, (left, right) => {
      const [a, b] = [readNetwork(left), readNetwork(right)];
      assert.ok(a !== null && b !== null);
      const nested = contains(a, { family: 4, value: b.first }) || contains(b, { family: 4, value: a.first });
      assert.equal(overlap(a, b), nested);
    }),
  );
});

test('an address is written as it is read, in its one canonical text', () => {
  for (const text of ['192.0.2.1', '0.0.0.0', '::', '2001:db8::1', '2001:db8:0:0:1::', '::ffff:c000:201']) {
    const address = readAddress(text);
    assert.ok(address !== null);
    assert.equal(writeAddress(address), text);
  }
});

test('the addresses from one to another are the fewest networks that hold them all and no other', () => {
  const networks = (from: string, to: string) => {
    const [first, last] = [readAddress(from), readAddress(to)];
    assert.ok(first !== null && last !== null);
    return networksBetween(first, last).map(
      ({ family, first: value, prefix }) => `${writeAddress({ family, value })}/${prefix}`,
    );
  };
  assert.deepEqual(networks('192.0.2.0', '192.0.2.255'), ['192.0.2.0/24']);
  assert.deepEqual(networks('192.0.2.1', '192.0.2.6'), [
    '192.0.2.1/32',
    '192.0.2.2/31',
    '192.0.2.4/31',
    '192.0.2.6/32',
  ]);
  assert.deepEqual(networks('0.0.0.0', '255.255.255.255'), ['0.0.0.0/0']);
  assert.deepEqual(networks('2001:db8::', '2001:db9:ffff:ffff:ffff:ffff:ffff:ffff'), ['2001:db8::/31']);
  assert.deepEqual(networks('192.0.2.2', '192.0.2.1'), []);
  fc.assert(
    fc.property(fc.nat(2 ** 20), fc.nat(2 ** 20), (a, b) => {
      const [first, last] = [BigInt(Math.min(a, b)), BigInt(Math.max(a, b))];
      const found = networksBetween({ family: 4, value: first }, { family: 4, value: last });
      assert.equal(found[0]?.first, first);
      assert.equal(found.at(-1)?.last, last);
      for (const [at, network] of found.entries()) {
        assert.equal(network.last - network.first + 1n, 1n << BigInt(32 - network.prefix));
        if (at > 0) assert.equal(network.first, (found[at - 1]?.last ?? 0n) + 1n);
      }
    }),
  );
});
