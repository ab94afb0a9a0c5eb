import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { linkLocalAddress, macAddress } from './mac-address.ts';
import { readAddress, writeAddress } from './network.ts';

test("a server's card has one locally administered unicast address, the same each time", () => {
  const serverId = randomUUID();
  const mac = macAddress(serverId);
  assert.match(mac, /^02(:[0-9a-f]{2}){5}$/);
  assert.equal(macAddress(serverId), mac);
  assert.notEqual(macAddress(randomUUID()), mac);
});

test('a link-local address is made as RFC 4291 says', () => {
  const read = (text: string) => writeAddress(readAddress(text) ?? assert.fail());
  assert.equal(read(linkLocalAddress('34:56:78:9a:bc:de')), 'fe80::3656:78ff:fe9a:bcde');
  assert.equal(read(linkLocalAddress('02:00:00:00:00:01')), 'fe80::ff:fe00:1');
});
