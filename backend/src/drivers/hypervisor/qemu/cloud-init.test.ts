import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { macAddress } from '../../../base/mac-address.ts';
import { contains, readAddress, readNetwork } from '../../../base/network.ts';
import { onLinkPrefix, seedOf } from './cloud-init.ts';

const machine = {
  serverId: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
  generation: 3,
  hostname: 'web.example.com',
  ipv4: [{ address: '198.18.0.7', gateway: '198.18.0.1' }],
  ipv6: [{ network: '2001:db8:1000:7::/64', gateway: '2001:db8:1000::1' }],
};
const login = { username: 'root', passwordHash: '$6$salt$hash', sshKeys: ['ssh-ed25519 AAAA me'] };
const seed = (change: Partial<Parameters<typeof seedOf>[0]> = {}) =>
  seedOf({ machine, login, userData: null, passwordRevision: 0, resolvers: [], ...change });

test('each generation is an instance of its own, and each later password one more (rules G1, G3)', () => {
  assert.equal(parse(seed().metaData)['instance-id'], `${machine.serverId}-3`);
  const later = seed({ passwordRevision: 2 });
  assert.equal(parse(later.metaData)['instance-id'], `${machine.serverId}-3-2`);
  assert.equal(parse(later.userData).ssh_deletekeys, false);
  assert.equal(parse(seed().userData).ssh_deletekeys, true);
});

test('every text is a value and nothing else, in every version of YAML', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (hostname, key) => {
      const { userData, metaData } = seed({
        machine: { ...machine, hostname },
        login: { ...login, sshKeys: [key] },
      });
      for (const version of ['1.1', '1.2'] as const) {
        assert.equal(parse(metaData, { version })['local-hostname'], hostname);
        assert.equal(parse(userData, { version }).users[0].ssh_authorized_keys[0], key);
      }
    }),
  );
});

test('a card is found by its address, which no version of YAML takes for a number', () => {
  const { networkConfig } = seed();
  for (const version of ['1.1', '1.2'] as const) {
    const { primary } = parse(networkConfig, { version }).ethernets;
    assert.equal(primary.match.macaddress, macAddress(machine.serverId));
    assert.deepEqual(primary.addresses, ['198.18.0.7/28', '2001:db8:1000:7::1/64']);
    assert.deepEqual(primary.routes, [
      { to: '0.0.0.0/0', via: '198.18.0.1' },
      { to: '::/0', via: '2001:db8:1000::1', 'on-link': true },
    ]);
  }
});

test('an address and its gateway are on one link, and neither is the first or the last of it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 254 }), fc.integer({ min: 1, max: 254 }), (own, other) => {
      fc.pre(own !== other);
      const [address, gateway] = [`198.51.100.${own}`, `198.51.100.${other}`];
      const prefix = onLinkPrefix(address, gateway);
      const value = readAddress(address)?.value ?? 0n;
      const size = 1n << BigInt(32 - prefix);
      const network = readNetwork(`${dotted((value / size) * size)}/${prefix}`) ?? assert.fail();
      assert.ok(prefix >= 24);
      for (const one of [address, gateway]) {
        const read = readAddress(one) ?? assert.fail();
        assert.ok(contains(network, read) && read.value !== network.first && read.value !== network.last);
      }
    }),
  );
});

test("the customer's user data is a part of its own, as it came", () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      fc.pre(!/^(content-type: *multipart|mime-version:)/i.test(text));
      const { userData } = seed({ userData: text });
      const boundary = /boundary="([0-9a-f]+)"/.exec(userData)?.[1] ?? assert.fail();
      const parts = userData.split(`--${boundary}`);
      assert.equal(parts.length, 4);
      const body = (parts[2] ?? '').split('\n\n').at(1) ?? '';
      assert.deepEqual(Buffer.from(body, 'base64'), Buffer.from(text));
    }),
  );
});

test('a message in parts of its own is nested as it is', () => {
  const text = 'Content-Type: multipart/mixed; boundary="x"\nMIME-Version: 1.0\n\n--x\n\n#!/bin/sh\n--x--\n';
  assert.ok(seed({ userData: text }).userData.includes(`\n${text}`));
});

function dotted(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
}
