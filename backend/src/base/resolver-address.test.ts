import assert from 'node:assert/strict';
import { Resolver } from 'node:dns';
import { test } from 'node:test';
import { isResolverAddress } from './resolver-address.ts';

test('an address of a DNS server is one that Node takes', () => {
  for (const text of ['9.9.9.9', '127.0.0.1:5353', '2620:fe::fe', '[2620:fe::fe]:53']) {
    assert.equal(isResolverAddress(text), true, text);
    new Resolver().setServers([text]);
  }
  const wrong = [
    '',
    'dns.example',
    '9.9.9.9:0',
    '9.9.9.9:70000',
    '[9.9.9.9]:53',
    '[2620:fe::fe]:',
    'fe80::1%eth0',
  ];
  for (const text of wrong) assert.equal(isResolverAddress(text), false, text);
});
