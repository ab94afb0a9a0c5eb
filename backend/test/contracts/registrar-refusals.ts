import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contact, done, host, type RegistrarTrial, refused, signer } from './registrar-trial.ts';

/** The same causes have the same reasons at every registry, and what is refused has changed nothing. */
export function refusalContract(trial: () => RegistrarTrial): void {
  test('what is not registered is not found', async () => {
    const { driver, subject } = trial();
    const ref = trial().free();
    const believedExpireAt = subject.now();
    const nameservers = [host(`ns.${ref.domain}`, ['192.0.2.53'])];
    refused(await driver.update({ ...ref, nameservers }), 'not_found');
    refused(await driver.renew({ ...ref, years: 1, believedExpireAt, fee: null }), 'not_found');
    refused(await driver.restore({ ...ref, fee: null }), 'not_found');
    refused(await driver.requestTransfer(trial().transferOf(ref)), 'not_found');
    assert.equal(await driver.transfer(ref), null);
    assert.equal(done(await driver.delete(ref)), null);
    done(await driver.answerTransfer(ref, 'approve'));
  });

  test('what is with another registrar is left alone', async () => {
    const { driver, rival, subject } = trial();
    const { ref, domain } = await trial().registered(rival);
    assert.ok(domain.expireAt);
    const glue = [host(`ns.${ref.domain}`, ['192.0.2.53'])];
    refused(await driver.update({ ...ref, statuses: ['clientHold'] }), 'state_conflict');
    refused(await driver.update({ ...ref, nameservers: glue }), 'state_conflict');
    const renewal = { ...ref, years: 1, believedExpireAt: domain.expireAt, fee: null };
    refused(await driver.renew(renewal), 'state_conflict');
    refused(await driver.restore({ ...ref, fee: null }), 'state_conflict');
    assert.equal(done(await driver.delete(ref)), null, 'it is not ours');
    assert.deepEqual(await rival.info(ref), domain);
    const own = await trial().registered(driver);
    await subject.pass(60);
    refused(await driver.requestTransfer(trial().transferOf(own.ref)), 'state_conflict');
  });

  test('a price that is not the one accepted is refused, and a period that there is not', async () => {
    const { driver } = trial();
    const ref = trial().free();
    const fee = { amount: 1n, currency: 'EUR' };
    refused(await driver.register(trial().order(ref, { fee })), 'fee_differs');
    refused(await driver.register(trial().order(ref, { years: 11 })), 'period_not_allowed');
    assert.equal(await driver.info(ref), null);
    const { ref: ours, domain } = await trial().registered(driver);
    assert.ok(domain.expireAt);
    const renewal = { ...ours, years: 1, believedExpireAt: domain.expireAt, fee: null };
    refused(await driver.renew({ ...renewal, fee }), 'fee_differs');
    refused(await driver.renew({ ...renewal, years: 10 }), 'period_not_allowed');
    const later = domain.expireAt.add({ hours: 48 });
    refused(await driver.renew({ ...renewal, believedExpireAt: later }), 'state_conflict');
    await trial().chargedTimes(ours, 1);
  });

  test('contacts are what EPP has room for, or nothing is registered', async () => {
    const { driver } = trial();
    const bad = [
      contact({ phone: '069 1234' }),
      contact({ country: 'DEU' }),
      contact({ zip: '12345678901234567' }),
      contact({ name: 'x'.repeat(256) }),
      contact({ street: ['1', '2', '3', '4'] }),
      contact({ email: 'nobody' }),
      contact({ name: '' }),
    ];
    for (const registrant of bad) {
      const ref = trial().free();
      refused(await driver.register(trial().order(ref, { registrant })), 'contact_invalid');
      assert.equal(await driver.info(ref), null);
    }
    const { ref, domain } = await trial().registered(driver);
    refused(await driver.update({ ...ref, contacts: { tech: contact({ phone: '1' }) } }), 'contact_invalid');
    assert.deepEqual(await driver.info(ref), domain);
  });

  test('a contact of another registrar is theirs', async () => {
    const { driver, rival } = trial();
    const registrant = contact();
    await trial().registered(rival, { registrant });
    refused(await driver.register(trial().order(trial().free(), { registrant })), 'contact_invalid');
  });

  test('glue belongs below the domain itself, and there it must be', async () => {
    const { driver, rival } = trial();
    const ref = trial().free();
    const { ref: theirs } = await trial().registered(rival);
    const bad = [
      [host(`ns.${ref.domain}`)],
      [host('ns.contract.example', ['192.0.2.53'])],
      [host(`ns.${theirs.domain}`)],
      Array.from({ length: 14 }, (_, at) => host(`ns${at}.contract.example`)),
    ];
    for (const nameservers of bad)
      refused(await driver.register(trial().order(ref, { nameservers })), 'nameserver_invalid');
    assert.equal(await driver.info(ref), null);
    const { ref: ours, domain } = await trial().registered(driver);
    for (const nameservers of bad.slice(1))
      refused(await driver.update({ ...ours, nameservers }), 'nameserver_invalid');
    assert.deepEqual(await driver.info(ours), domain);
  });

  test('a signer that is none is refused', async () => {
    const { driver } = trial();
    const bad = { ...signer(2), digest: 'AB' };
    const ref = trial().free();
    refused(await driver.register(trial().order(ref, { ds: [bad] })), 'policy');
    assert.equal(await driver.info(ref), null);
    const { ref: ours, domain } = await trial().registered(driver, { ds: [signer(1)] });
    refused(await driver.update({ ...ours, ds: [signer(1), bad] }), 'policy');
    assert.deepEqual(await driver.info(ours), domain);
  });

  test('what our own statuses prohibit is refused until they are gone', async () => {
    const { driver } = trial();
    const { ref, domain } = await trial().registered(driver);
    assert.ok(domain.expireAt);
    done(await driver.update({ ...ref, statuses: ['clientDeleteProhibited', 'clientRenewProhibited'] }));
    refused(await driver.delete(ref), 'state_conflict');
    const renewal = { ...ref, years: 1, believedExpireAt: domain.expireAt, fee: null };
    refused(await driver.renew(renewal), 'state_conflict');
    done(await driver.update({ ...ref, statuses: [] }));
    done(await driver.renew(renewal));
  });

  test('a domain whose name servers others need is not deleted, and stays delegated as it was', async () => {
    const { driver } = trial();
    const ref = trial().free();
    const nameservers = [host(`ns.${ref.domain}`, ['192.0.2.53']), host('ns.contract.example')];
    const domain = done(await driver.register(trial().order(ref, { nameservers })));
    await trial().registered(driver, { nameservers: [host(`ns.${ref.domain}`)] });
    refused(await driver.delete(ref), 'state_conflict');
    assert.deepEqual(await driver.info(ref), domain);
  });

  test('an update that is refused leaves the lock that it was made under', async () => {
    const { driver } = trial();
    const { ref } = await trial().registered(driver);
    const locked = done(await driver.update({ ...ref, statuses: ['clientUpdateProhibited'] }));
    refused(await driver.update({ ...ref, ds: [{ ...signer(2), digest: 'AB' }] }), 'policy');
    assert.deepEqual(await driver.info(ref), locked);
  });
}
