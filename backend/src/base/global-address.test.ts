import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGlobalUnicast } from './global-address.ts';

const GLOBAL = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
]
  .concat(['198.17.255.255', '198.20.0.0', '223.255.255.255', '11.0.0.1', '169.253.1.1', '192.167.1.1'])
  .concat([
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2001:200::1',
    '3ffe::1',
  ]);

const NOT_GLOBAL = {
  'this network': ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fc00::1'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'link-local, with and without a zone': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', '2606:4700::1%eth0'],
  'site-local': ['fec0::1'],
  "carriers'": ['100.64.0.1', '100.127.255.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1', '3fff:fff::1'],
  benchmarks: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.255', '4000::1', '5f00::1', '100::1'],
  'protocol assignments': ['192.0.0.1', '192.0.0.170', '2001::1', '2001:1ff::1'],
  'IPv4 mapped': [
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:8.8.8.8',
    '0:0:0:0:0:ffff:a00:1',
  ],
  'IPv4 compatible and translated': ['::127.0.0.1', '::ffff:0:10.0.0.1'],
  '6to4, and its relays': ['2002:7f00:1::1', '2002:a00:1::', '2002:808:808::1', '192.88.99.1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  Teredo: ['2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'no address': ['', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '010.0.0.1', '1.1.1.1 '],
  'no address either': ['1.1.1', '1.1.1.1/32', '[::1]', '2606:4700::1111/64', '８.8.8.8', '1.1.1.1\0'],
};

test('addresses of hosts that anybody can reach are global', () => {
  for (const address of GLOBAL) assert.equal(isGlobalUnicast(address), true, address);
});

for (const [what, addresses] of Object.entries(NOT_GLOBAL)) {
  test(`not global: ${what}`, () => {
    for (const address of addresses) assert.equal(isGlobalUnicast(address), false, address);
  });
}
