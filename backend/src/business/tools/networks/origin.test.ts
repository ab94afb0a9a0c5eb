import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resolver } from '../../../drivers/resolver/port.ts';
import { originOf } from './origin.ts';

function dns(texts: Readonly<Record<string, readonly string[]>>): { resolver: Resolver; asked: string[] } {
  const asked: string[] = [];
  const nothing = async () => [];
  const resolver: Resolver = {
    addresses: nothing,
    pointers: nothing,
    nameservers: nothing,
    texts: async (name) => {
      asked.push(name);
      return texts[name] ?? [];
    },
  };
  return { resolver, asked };
}

test('the origin of an address is asked for by its /24, and of IPv6 by its /48', async () => {
  const { resolver, asked } = dns({
    '9.9.9.origin.asn.cymru.com': [
      '64500 64501 | 9.9.0.0/16 | US | arin | 2001-01-01',
      '64502 | 9.9.9.0/24 | CH | ripencc |',
    ],
    'AS64502.asn.cymru.com': ['64502 | CH | ripencc | 2001-01-01 | EXAMPLE - Example Networks, CH'],
    '0.0.0.0.e.f.0.0.0.2.6.2.origin6.asn.cymru.com': ['64500 | 2620:fe::/48 | | arin |'],
  });
  assert.deepEqual(await originOf(resolver, '9.9.9.10', 1_000), {
    asn: { number: 64502, name: 'EXAMPLE - Example Networks, CH' },
    country: 'CH',
  });
  assert.deepEqual(await originOf(resolver, '2620:fe::fe', 1_000), {
    asn: { number: 64500, name: 'AS64500' },
    country: null,
  });
  assert.deepEqual(asked, [
    '9.9.9.origin.asn.cymru.com',
    'AS64502.asn.cymru.com',
    '0.0.0.0.e.f.0.0.0.2.6.2.origin6.asn.cymru.com',
    'AS64500.asn.cymru.com',
  ]);
});

test('an address that nobody announces has no origin', async () => {
  const { resolver } = dns({ '9.9.9.origin.asn.cymru.com': ['hello'] });
  assert.deepEqual(await originOf(resolver, '9.9.9.9', 1_000), { asn: null, country: null });
  assert.deepEqual(await originOf(resolver, '8.8.8.8', 1_000), { asn: null, country: null });
});
