import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Instant } from '../../src/base/time.ts';
import { faultContract } from './registrar-faults.ts';
import { refusalContract } from './registrar-refusals.ts';
import { transferContract } from './registrar-transfers.ts';
import {
  byHostname,
  contact,
  done,
  host,
  type RegistrarSubject,
  RegistrarTrial,
  refused,
  signer,
} from './registrar-trial.ts';

/** What every driver that registers domains keeps (rule F4). `open` gives two registrars that nobody else uses. */
export function registrarContract(name: string, open: () => Promise<RegistrarSubject>): void {
  describe(`the registrar contract: ${name}`, () => {
    let trial: RegistrarTrial;
    before(async () => {
      trial = new RegistrarTrial(await open());
    });
    after(() => trial.subject.close());
    lifeContract(() => trial);
    transferContract(() => trial);
    refusalContract(() => trial);
    faultContract(() => trial);
  });
}

function lifeContract(trial: () => RegistrarTrial): void {
  test('a domain is registered once, however often and at once it is asked for', async () => {
    const { driver, subject } = trial();
    const ref = trial().free();
    const wanted = trial().order(ref);
    const all = await Promise.all(Array.from({ length: 5 }, () => driver.register(wanted)));
    const [first] = all.map(done);
    assert.equal(first?.sponsoredHere, true);
    assert.equal(first.registrant, wanted.registrant.handle);
    assert.ok(first.expireAt && Temporal.Instant.compare(first.expireAt, subject.now()) > 0);
    done(await driver.register(wanted));
    await trial().chargedTimes(ref, 1);
  });

  test('what was registered before the order is not what was ordered', async () => {
    const { driver, rival, subject } = trial();
    const { ref } = await trial().registered(driver);
    const since = subject.now().add({ minutes: 5 });
    refused(await driver.register(trial().order(ref, { since })), 'domain_not_available');
    refused(await rival.register(trial().order(ref)), 'domain_not_available');
    await trial().chargedTimes(ref, 1);
  });

  test('a registration is as it was wanted, with glue below the domain itself', async () => {
    const { driver } = trial();
    const ref = trial().free();
    const [admin, tech] = [contact(), contact()];
    const nameservers = [
      { hostname: `ns1.${ref.domain}`, ipv4: ['192.0.2.53'], ipv6: ['2001:db8::53'] },
      host('ns2.contract.example'),
    ];
    const wanted = trial().order(ref, { admin, tech, nameservers, ds: [signer(1)] });
    const found = done(await driver.register(wanted));
    assert.deepEqual(found.contacts, { admin: admin.handle, tech: tech.handle });
    assert.deepEqual(found.nameservers.toSorted(byHostname), nameservers);
    assert.deepEqual(found.ds, [signer(1)]);
    assert.deepEqual(await driver.info(ref), found);
  });

  test('what registries tell of others’ domains is little, and never that they are not registered', async () => {
    const { driver, rival } = trial();
    const authcode = 'Other-Code-5';
    const { ref, domain } = await trial().registered(driver, { authcode });
    const told = await rival.info(ref);
    assert.equal(told?.sponsoredHere, false);
    assert.equal(told.registrar, domain.registrar);
    assert.equal(told.registrant, null);
    assert.equal((await rival.info(ref, authcode))?.registrant, domain.registrant);
    const mistaken = await rival.info(ref, 'Wrong-Code-3');
    assert.deepEqual(mistaken, { ...told, authcodeRefused: true });
    assert.equal(await driver.info(trial().free()), null);
  });

  test('a renewal against the end that it believes in is done once, however often', async () => {
    const { driver } = trial();
    const { ref, domain } = await trial().registered(driver);
    assert.ok(domain.expireAt);
    const wanted = { ...ref, years: 2, believedExpireAt: domain.expireAt, fee: null };
    const { expireAt } = done(await driver.renew(wanted));
    assert.deepEqual(done(await driver.renew(wanted)), { expireAt });
    const year = (at: Instant) => at.toZonedDateTimeISO('UTC').year;
    assert.equal(year(expireAt), year(domain.expireAt) + 2);
    await trial().chargedTimes(ref, 2);
  });

  test('an update brings a domain to exactly what is wanted, and changes nothing the second time', async () => {
    const { driver } = trial();
    const { ref } = await trial().registered(driver, { admin: contact(), ds: [signer(1), signer(2)] });
    const wanted = {
      ...ref,
      contacts: { registrant: contact(), admin: null, tech: contact() },
      nameservers: [host('a.contract.example'), host(`b.${ref.domain}`, ['192.0.2.1'])],
      ds: [signer(2), signer(3)],
      statuses: ['clientTransferProhibited', 'clientDeleteProhibited'] as const,
      authcode: 'Another-Code-2',
    };
    const updated = done(await driver.update(wanted));
    assert.equal(updated.registrant, wanted.contacts.registrant.handle);
    assert.deepEqual(updated.contacts, { tech: wanted.contacts.tech.handle });
    assert.deepEqual(updated.nameservers.toSorted(byHostname), wanted.nameservers);
    assert.deepEqual(updated.ds.map(({ keyTag }) => keyTag).sort(), [2, 3]);
    assert.deepEqual(clientStatuses(updated), [...wanted.statuses].sort());
    assert.deepEqual(done(await driver.update(wanted)), updated);
    const changed = { ...wanted, nameservers: [host(`b.${ref.domain}`, ['192.0.2.2'])], statuses: [] };
    const again = done(await driver.update(changed));
    assert.deepEqual(again.nameservers, changed.nameservers);
    assert.deepEqual(clientStatuses(again), []);
    assert.deepEqual(again.contacts, updated.contacts, 'what is left out stays');
  });

  test('a contact is what it is last said to be, for every domain that has it', async () => {
    const { driver } = trial();
    const owner = contact({ organisation: 'Muster GmbH', region: 'Hessen', fax: '+49.69987' });
    const { ref } = await trial().registered(driver, { registrant: owner });
    const moved = { ...owner, city: 'Köln', organisation: null, region: null, fax: null, disclosed: true };
    assert.equal(
      done(await driver.update({ ...ref, contacts: { registrant: moved } })).registrant,
      owner.handle,
    );
    done(await driver.update({ ...ref, contacts: { registrant: moved } }));
  });

  test('a lock against updates keeps out others; what is left out of an update leaves it set', async () => {
    const { driver } = trial();
    const { ref } = await trial().registered(driver);
    const locks = ['clientHold', 'clientUpdateProhibited'] as const;
    done(await driver.update({ ...ref, statuses: locks }));
    const signed = done(await driver.update({ ...ref, ds: [signer(4)] }));
    assert.deepEqual([signed.ds, clientStatuses(signed)], [[signer(4)], [...locks]]);
    const opened = done(await driver.update({ ...ref, ds: [], statuses: ['clientHold'] }));
    assert.deepEqual([opened.ds, clientStatuses(opened)], [[], ['clientHold']]);
  });

  test('a name server of another domain of ours keeps its addresses', async () => {
    const { driver } = trial();
    const ref = trial().free();
    const nameserver = host(`ns.${ref.domain}`, ['192.0.2.53']);
    done(await driver.register(trial().order(ref, { nameservers: [nameserver] })));
    const other = await trial().registered(driver, { nameservers: [host(nameserver.hostname)] });
    assert.deepEqual(other.domain.nameservers, [host(nameserver.hostname)]);
    assert.deepEqual((await driver.info(ref))?.nameservers, [nameserver]);
  });

  test('a deleted domain that just began is gone, and deleting it again is done', async () => {
    const { driver } = trial();
    const { ref } = await trial().registered(driver);
    assert.equal(done(await driver.delete(ref)), null);
    assert.equal(done(await driver.delete(ref)), null);
    assert.equal(await driver.info(ref), null);
  });

  test('a deleted domain is kept for its redemption, and restored once', async () => {
    const { driver, subject } = trial();
    const { ref } = await trial().registered(driver);
    await subject.pass(6);
    const kept = done(await driver.delete(ref));
    assert.ok(kept?.statuses.includes('redemptionPeriod'));
    assert.deepEqual(done(await driver.delete(ref)), kept);
    const restored = done(await driver.restore({ ...ref, fee: null }));
    assert.equal(restored.statuses.includes('redemptionPeriod'), false);
    assert.deepEqual(done(await driver.restore({ ...ref, fee: null })), restored);
    await trial().chargedTimes(ref, 2);
    done(await driver.delete(ref));
    await subject.pass(31);
    refused(await driver.restore({ ...ref, fee: null }), 'state_conflict');
    await subject.pass(6);
    assert.equal(await driver.info(ref), null, 'released');
  });
}

function clientStatuses({ statuses }: { readonly statuses: readonly string[] }): readonly string[] {
  return statuses.filter((status) => status.startsWith('client')).sort();
}
