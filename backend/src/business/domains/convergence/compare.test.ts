import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../../test/domains.ts';
import type { RegisteredDomain } from '../../../drivers/registry/port.ts';
import { compareDomain, type RecordedDomain } from './compare.ts';
import { recordedDomains } from './reconcilable.ts';

const domains = await openDomains();
const { clock, pool, ports, catalogs } = domains;
await domains.register(await domains.customer(10_000n), 'compared.com');
const now = clock.now();
const com = (await catalogs.newest(pool)).tlds.get('com');
const booked = (await recordedDomains(pool, ['compared.com'], now)).get('compared.com');
const told = await ports.registry.info({ domain: 'compared.com', tld: 'com', registry: 'sandbox' });
assert.ok(com && booked && told?.expireAt && booked.registry_expire_at);
const [here, there, end, tld] = [booked, told, told.expireAt, com];
const year = end.add({ hours: 365 * 24 });

function kinds(
  inBooks: Partial<RecordedDomain> | null,
  atRegistry: Partial<RegisteredDomain> | null,
  at = now,
  policy: Partial<typeof tld.policy> = {},
) {
  return compareDomain(
    inBooks && { ...here, ...inBooks },
    atRegistry && { ...there, ...atRegistry },
    { ...tld, policy: { ...tld.policy, ...policy } },
    at,
  ).map(({ kind }) => kind);
}

test('a registry that renews by itself is later at once, one that does not has no reason to', () => {
  assert.deepEqual(kinds({}, { expireAt: year }, now), ['domain_expiry_differs'], 'not before the end');
  assert.deepEqual(kinds({ expire_at: year }, { expireAt: year }, end), []);
  assert.deepEqual(kinds({ expire_at: year }, { expireAt: year }, end, { autorenew_at_registry: false }), [
    'domain_expiry_differs',
  ]);
  assert.deepEqual(kinds({}, { expireAt: end.add({ milliseconds: 400 }) }), [], 'seconds are enough');
  assert.deepEqual(
    kinds({ registry_expire_at: null, expire_at: year }, { expireAt: null }),
    [],
    'some have no end',
  );
});

test('what was paid for and is not at the registry is told, though nothing has changed there', () => {
  assert.deepEqual(kinds({ expire_at: year }, {}), ['domain_expiry_differs']);
  assert.deepEqual(
    kinds({ expire_at: end.add({ hours: 24 }) }, {}),
    [],
    'a day more or less is how they count',
  );
});

test('one that is to go may be gone, and one that is dropped is nobody’s registration', () => {
  const expired = { state: 'expired', delete_at: now, registry_state: 'redemption' } as const;
  assert.deepEqual(kinds(expired, null), []);
  assert.deepEqual(kinds({}, null), ['domain_missing']);
  assert.deepEqual(kinds(null, { statuses: ['redemptionPeriod'] }), []);
  assert.deepEqual(kinds(null, {}), ['domain_unknown']);
  assert.deepEqual(kinds({ registry_state: 'failed' }, {}), ['domain_unknown']);
  assert.deepEqual(kinds({ registry_state: 'transferred_out' }, { sponsoredHere: false }), []);
  assert.deepEqual(kinds({ registry_state: 'pending' }, {}), [], 'it is being made');
});

test('locks are compared as they are wanted, the registry’s own as they were seen, and passing statuses not at all', () => {
  const locks = ['clientTransferProhibited'];
  assert.deepEqual(kinds({}, { statuses: [...locks, 'addPeriod', 'ok'] }), []);
  assert.deepEqual(kinds({}, { statuses: ['ok'] }), ['domain_status_differs']);
  assert.deepEqual(kinds({ state: 'suspended' }, { statuses: locks }), ['domain_status_differs']);
  assert.deepEqual(kinds({ state: 'suspended' }, { statuses: [...locks, 'clientHold'] }), []);
  assert.deepEqual(kinds({}, { statuses: [...locks, 'serverHold'] }), ['domain_status_differs']);
  assert.deepEqual(kinds({ statuses: ['serverHold'] }, { statuses: [...locks, 'serverHold'] }), []);
  assert.deepEqual(kinds({ statuses: ['serverHold'] }, { statuses: locks }), [], 'gone again by itself');
});

test('name servers that the books leave to the registry are not compared', () => {
  const other = { nameservers: [{ hostname: 'ns1.elsewhere.example', ipv4: [], ipv6: [] }] };
  assert.deepEqual(kinds({}, other), ['domain_nameservers_differ']);
  assert.deepEqual(kinds({ nameservers: null }, other), []);
  const upper = here.nameservers?.map((host) => ({ ...host, hostname: host.hostname.toUpperCase() })) ?? [];
  assert.deepEqual(kinds({}, { nameservers: upper.toReversed() }), [], 'in any order and case');
});
