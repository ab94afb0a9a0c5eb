import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openZones } from '../../../../test/zones.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { type PtrRecord, ptrName, setPtrRecords } from './reverse.ts';

const zones = await openZones();
const { pool, clock } = zones;
const NAMESERVERS = ['ns1.hosting.example', 'ns2.hosting.example'];

const set = async (reverseZone: string, pointers: readonly PtrRecord[]) => {
  await inUnitOfWork(pool, clock.now(), [], (tx, uow) =>
    setPtrRecords(tx, uow, { reverseZone, nameservers: NAMESERVERS }, pointers),
  );
  await zones.work();
};

const NAMES: readonly (readonly [address: string, zone: string, name: string | null])[] = [
  ['192.0.2.7', '2.0.192.in-addr.arpa', '7'],
  ['198.18.3.4', '18.198.in-addr.arpa', '4.3'],
  ['192.0.2.7', '0/26.2.0.192.in-addr.arpa', '7'],
  ['192.0.2.7', '0-63.2.0.192.in-addr.arpa', '7'],
  ['192.0.2.64', '0/26.2.0.192.in-addr.arpa', null],
  ['192.0.2.64', '64/26.2.0.192.in-addr.arpa', '64'],
  ['192.0.2.7', 'customers.2.0.192.in-addr.arpa', '7'],
  ['192.0.3.7', '2.0.192.in-addr.arpa', null],
  ['2001:db8:1000::1', '0.0.0.1.8.b.d.0.1.0.0.2.ip6.arpa', `1${'.0'.repeat(19)}`],
  ['2001:db8:2000::1', '0.0.0.1.8.b.d.0.1.0.0.2.ip6.arpa', null],
];

for (const [address, zone, name] of NAMES) {
  test(`the PTR record of ${address} in ${zone} is ${name ?? 'none'}`, () => {
    assert.equal(ptrName(address, zone), name);
  });
}

test('names of addresses are published in the reverse zone, changed, and taken away', async () => {
  const zone = '2.0.192.in-addr.arpa';
  await set(zone, [
    { address: '192.0.2.7', target: 'a.example.net' },
    { address: '192.0.2.8', target: 'b.example.net' },
  ]);
  assert.deepEqual(await zones.served(zone), [
    `7.${zone} PTR a.example.net.`,
    `8.${zone} PTR b.example.net.`,
  ]);
  await set(zone, [
    { address: '192.0.2.7', target: 'c.example.net' },
    { address: '192.0.2.8', target: null },
    { address: '192.0.2.9', target: null },
  ]);
  assert.deepEqual(await zones.served(zone), [`7.${zone} PTR c.example.net.`]);
  const { version, records } = await zones.row(zone);
  await set(zone, [{ address: '192.0.2.7', target: 'c.example.net' }]);
  assert.equal((await zones.row(zone)).version, version, 'the same again changes nothing');
  assert.equal(records, 1);
});
