// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../test/domains.ts';
import lockEnds from '../../business/domains/transfer/lock-ends.job.ts';

const domains = await openDomains();
const { requests } = domains;
const customer = await domains.customer(50_000n);
const sent = { token: customer.secret };
const id = await domains.register(customer, 'shown.com', { custom_name: 'Mine' });
await domains.register(customer, 'bücher.com', { transfer_lock: false, auto_renew: false });

test('a domain is found by its uuid and by its name in either form, and nobody else’s is', async () => {
  const byUuid = await requests.data('domain/details', { uuid: id }, sent);
  assert.deepEqual(await requests.data('domain/details', { domain: 'SHOWN.com' }, sent), byUuid);
  const unicode = await requests.data('domain/details', { domain: 'bücher.com' }, sent);
  assert.equal(unicode.domain, 'xn--bcher-kva.com');
  assert.equal(unicode.domain_unicode, 'bücher.com');
  const stranger = { token: (await domains.customer(0n)).secret };
  await requests.refused('not_found', 'domain/details', { domain: 'shown.com' }, stranger);
  await requests.refused('not_found', 'domain/details', { uuid: id }, stranger);
  await requests.refused('validation_failed', 'domain/details', {}, sent);
  await requests.refused('validation_failed', 'domain/details', { uuid: id, domain: 'shown.com' }, sent);
});

test('it shows what the registry and the books say', async () => {
  const shown = await requests.data('domain/details', { uuid: id }, sent);
  assert.equal(shown.state, 'active');
  assert.equal(shown.expire_at, '2028-01-15 12:00:00');
  assert.equal(shown.registry_expire_at, '2028-01-15 12:00:00');
  assert.equal(shown.registered_at, '2027-01-15 12:00:00');
  assert.equal(shown.renew_at, '2028-01-12 12:00:00');
  assert.equal(shown.renew_deadline, '2028-02-24 12:00:00');
  assert.equal(shown.transfer_lock_until, '2027-03-16 12:00:00');
  assert.equal(shown.transferable, false);
  assert.equal(shown.pricing.renew, 14.99);
  assert.equal(shown.contacts.owner.name, 'Erika Muster');
  assert.equal(shown.contacts.zone.contact_uuid, shown.contacts.owner.contact_uuid);
  assert.equal(shown.pending_task, null);
  assert.deepEqual(shown.nameservers[0], { hostname: 'ns1.hosting.example', ipv4: [], ipv6: [] });
  assert.equal(shown.dns_hosted, true);
});

test('one contact is kept however many domains it is given with', async () => {
  const { rows } = await domains.pool.pg.query('SELECT DISTINCT owner_id FROM domains');
  assert.equal(rows.length, 1);
});

test('the list filters, sorts and searches', async () => {
  const names = async (input: object) =>
    (await requests.data('domain/list', input, sent)).domains.map(({ domain }: { domain: string }) => domain);
  assert.deepEqual(await names({ sort: 'domain', order: 'asc' }), ['shown.com', 'xn--bcher-kva.com']);
  assert.deepEqual(await names({ search: 'mine' }), ['shown.com']);
  assert.deepEqual(await names({ auto_renew: false }), ['xn--bcher-kva.com']);
  assert.deepEqual(await names({ state: 'redemption' }), []);
  assert.deepEqual(await names({ tld: 'com', expiring_within_days: 364 }), []);
  assert.equal((await names({ tld: '.com', expiring_within_days: 366 })).length, 2);
});

test('settings count as changes when they are some, and the lock reaches the registry', async () => {
  const { version } = await requests.data('domain/details', { uuid: id }, sent);
  const same = await requests.data('domain/settings', { uuid: id, auto_renew: true }, sent);
  assert.equal(same.version, version);
  const change = {
    uuid: id,
    auto_renew: false,
    transfer_lock: false,
    custom_name: null,
    expected_version: version,
  };
  const changed = await requests.data('domain/settings', change, sent);
  assert.equal(changed.version, version + 1);
  await requests.refused('version_mismatch', 'domain/settings', change, sent);
  assert.equal((await domains.mails(customer, 'domain.unlocked')).length, 1);
  await domains.work();
  const held = await requests.data('domain/details', { uuid: id }, sent);
  assert.ok(held.registry_status.includes('clientTransferProhibited'), 'locked by the policy still');
  domains.clock.set(domains.clock.now().add({ hours: 24 * 61 }));
  await domains.run(lockEnds);
  await domains.work();
  const shown = await requests.data('domain/details', { uuid: id }, sent);
  assert.equal(shown.version, changed.version);
  assert.deepEqual(shown.registry_status, ['ok']);
  assert.equal(shown.transferable, true);
});

test('a domain that has gone has no settings any more', async () => {
  const gone = await domains.register(customer, 'gone-away.com');
  await domains.pool.pg.query("UPDATE domains SET state = 'transferred_out' WHERE id = $1", [gone]);
  const told = async () => (await domains.mails(customer, 'domain.unlocked')).length;
  const before = await told();
  const change = { uuid: gone, transfer_lock: false };
  const refused = await requests.refused('state_conflict', 'domain/settings', change, sent);
  assert.equal(refused.current_state, 'transferred_out');
  assert.equal(await told(), before);
});
