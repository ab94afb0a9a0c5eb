import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, drained, hears, type RegistrarTrial, refused } from './registrar-trial.ts';

/** Domains that go from one registrar to another, and what both are told of it. */
export function transferContract(trial: () => RegistrarTrial): void {
  test('a fresh domain is locked, a wrong code opens nothing, the right one asks once', async () => {
    const { driver, rival, subject } = trial();
    const { ref } = await trial().registered(rival);
    refused(await driver.requestTransfer(trial().transferOf(ref)), 'transfer_locked');
    const movable = await trial().movable(rival);
    const wrong = trial().transferOf(movable, { authcode: 'Wrong-Code-3' });
    refused(await driver.requestTransfer(wrong), 'authcode_invalid');
    assert.equal(await driver.transfer(movable), null);
    const wanted = trial().transferOf(movable);
    const asked = await Promise.all([1, 2, 3].map(() => driver.requestTransfer(wanted)));
    for (const outcome of asked) assert.equal(done(outcome).status, 'pending');
    assert.equal((await rival.transfer(movable))?.requestedHere, false);
    const later = { ...wanted, since: subject.now().add({ hours: 1 }) };
    assert.equal(
      done(await driver.requestTransfer(later)).status,
      'pending',
      'what stands is what is wanted',
    );
    done(await driver.cancelTransfer(movable));
    done(await driver.cancelTransfer(movable));
    assert.equal((await driver.transfer(movable))?.status, 'cancelled');
    await subject.pass(1);
    assert.equal(
      done(await driver.requestTransfer(trial().transferOf(movable))).status,
      'pending',
      'asked for anew',
    );
  });

  test('the losing registrar lets go or refuses, and both are told', async () => {
    const { driver, rival } = trial();
    for (const [from, to] of [
      [rival, driver],
      [driver, rival],
    ] as const) {
      const kept = await trial().asked(from, to);
      done(await from.answerTransfer(kept, 'reject'));
      done(await from.answerTransfer(kept, 'reject'));
      assert.equal((await to.transfer(kept))?.status, 'rejected');
      assert.equal((await from.info(kept))?.sponsoredHere, true);
      const ref = await trial().asked(from, to);
      done(await from.answerTransfer(ref, 'approve'));
      done(await from.answerTransfer(ref, 'approve'));
      assert.equal((await to.transfer(ref))?.status, 'approved');
      assert.equal((await to.info(ref))?.sponsoredHere, true);
      assert.equal((await from.info(ref))?.sponsoredHere, false);
      await trial().chargedTimes(ref, 2);
      assert.ok(hears(await drained(from), ref, 'pending'));
      assert.ok(hears(await drained(to), ref, 'approved'));
    }
  });

  test('who is not asked answers nothing, and who did not ask takes nothing back', async () => {
    const { driver, rival } = trial();
    const ref = await trial().asked(driver, rival);
    done(await driver.cancelTransfer(ref));
    done(await rival.answerTransfer(ref, 'approve'));
    assert.equal((await driver.transfer(ref))?.status, 'pending');
  });

  test('silence approves', async () => {
    const { driver, rival, subject } = trial();
    const ref = await trial().asked(driver, rival);
    await subject.pass(6);
    assert.equal((await rival.info(ref))?.sponsoredHere, true);
    assert.equal((await rival.transfer(ref))?.status, 'approved');
  });

  test('a message stays until it is acknowledged, and acknowledging it twice is done', async () => {
    const { driver, rival } = trial();
    await drained(driver);
    const ref = await trial().asked(driver, rival);
    const first = await driver.nextMessage();
    assert.ok(first);
    assert.deepEqual(await driver.nextMessage(), first);
    await driver.acknowledge(first.id);
    await driver.acknowledge(first.id);
    assert.notEqual((await driver.nextMessage())?.id, first.id);
    assert.ok(hears([first, ...(await drained(driver))], ref, 'pending'));
  });
}
