import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGlobalUnicast } from './global-address.ts';
import { type AddressScope, scopeOf, specialPurposeOf } from './special-purpose.ts';

const SCOPES: Readonly<Record<AddressScope, readonly string[]>> = {
  global: ['1.1.1.1', '192.0.1.1', '100.63.255.255', '2606:4700::1111', '2003::1', '2001:4860:4860::8888'],
  private: ['10.1.2.3', '100.64.0.1', '172.31.255.255', '192.168.0.0', 'fd12:3456::1', 'fc00::'],
  loopback: ['127.0.0.1', '127.255.255.255', '::1'],
  link_local: ['169.254.169.254', 'fe80::1', 'febf::1'],
  documentation: ['192.0.2.1', '198.51.100.7', '203.0.113.255', '2001:db8::1', '3fff::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::fb'],
  reserved: [
    '0.0.0.0',
    '198.18.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '64:ff9b::1',
    '2001:2::1',
    '2002::1',
  ].concat(['4000::1', 'fec0::1', '100::1', '192.0.0.8', '2001::1', '5f00::1', '::2']),
};

for (const [scope, addresses] of Object.entries(SCOPES)) {
  test(`the scope of these is ${scope}`, () => {
    for (const address of addresses) assert.equal(scopeOf(address), scope, address);
  });
}

test('global is exactly what connections may go to', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      assert.equal(scopeOf(address) === 'global', isGlobalUnicast(address), address);
    }),
    { numRuns: 2_000 },
  );
});

test('a special address says which network it is in, the narrowest first', () => {
  assert.deepEqual(specialPurposeOf('172.20.0.1'), {
    network: '172.16.0.0/12',
    name: 'Private-Use',
    scope: 'private',
  });
  assert.equal(specialPurposeOf('2001:2::1')?.name, 'Benchmarking');
  assert.equal(specialPurposeOf('255.255.255.255')?.name, 'Limited Broadcast');
  assert.equal(specialPurposeOf('9.9.9.9'), null);
});
