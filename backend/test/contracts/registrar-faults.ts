import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackendUnavailable } from '../../src/drivers/outcome.ts';
import type { DomainRef, RegistryOutcome } from '../../src/drivers/registry/port.ts';
import {
  done,
  drained,
  hears,
  type RegistrarTrial,
  refused,
  signer,
  type TrialCommand,
  type TrialFault,
} from './registrar-trial.ts';

const FAULTS: readonly TrialFault[] = ['timeout_before', 'timeout_after', 'repeat', 'refuse'];

/** Whatever becomes of a command and its answer, nothing is done twice (rule F4), and the next try brings it about. */
export function faultContract(trial: () => RegistrarTrial): void {
  for (const fault of FAULTS) {
    /** The command with the fault, and once more where that was not enough. */
    const despite = async <Result>(
      ref: DomainRef,
      command: TrialCommand,
      run: () => Promise<RegistryOutcome<Result>>,
    ): Promise<Result> => {
      await trial().subject.fail(ref.domain, command, fault);
      if (fault === 'repeat') return done(await run());
      if (fault === 'refuse') refused(await run(), 'policy');
      else await assert.rejects(run(), BackendUnavailable);
      return done(await run());
    };

    test(`${fault}: a registration is found out about, and was charged once`, async () => {
      const { driver } = trial();
      const ref = trial().free();
      const wanted = trial().order(ref);
      await despite(ref, 'create', () => driver.register(wanted));
      await trial().chargedTimes(ref, 1);
    });

    test(`${fault}: a renewal is applied once`, async () => {
      const { driver } = trial();
      const { ref, domain } = await trial().registered(driver);
      assert.ok(domain.expireAt);
      const wanted = { ...ref, years: 1, believedExpireAt: domain.expireAt, fee: null };
      const { expireAt } = await despite(ref, 'renew', () => driver.renew(wanted));
      assert.equal((await driver.info(ref))?.expireAt?.toString(), expireAt.toString());
      await trial().chargedTimes(ref, 2);
    });

    test(`${fault}: an update is brought to its end`, async () => {
      const { driver } = trial();
      const { ref } = await trial().registered(driver);
      const wanted = { ...ref, ds: [signer(7)], statuses: ['clientHold'] as const, authcode: 'New-Code-4' };
      const updated = await despite(ref, 'update', () => driver.update(wanted));
      assert.ok(updated.statuses.includes('clientHold'));
      assert.deepEqual(updated.ds, [signer(7)]);
    });

    test(`${fault}: a deletion and a restore are done once`, async () => {
      const { driver, subject } = trial();
      const { ref } = await trial().registered(driver);
      await subject.pass(6);
      assert.ok(await despite(ref, 'delete', () => driver.delete(ref)));
      const restored = await despite(ref, 'restore', () => driver.restore({ ...ref, fee: null }));
      assert.equal(restored.statuses.includes('redemptionPeriod'), false);
      await trial().chargedTimes(ref, 2);
    });

    test(`${fault}: a restore is reported, and charged once`, async () => {
      const { driver, subject } = trial();
      const { ref } = await trial().registered(driver);
      await subject.pass(6);
      done(await driver.delete(ref));
      const restored = await despite(ref, 'report', () => driver.restore({ ...ref, fee: null }));
      assert.equal(restored.statuses.includes('pendingRestore'), false);
      await trial().chargedTimes(ref, 2);
    });

    test(`${fault}: a transfer is asked for once, and taken back once`, async () => {
      const { driver, rival } = trial();
      const ref = await trial().movable(rival);
      const wanted = trial().transferOf(ref);
      const known = await despite(ref, 'request_transfer', () => driver.requestTransfer(wanted));
      assert.equal(known.status, 'pending');
      await despite(ref, 'cancel_transfer', () => driver.cancelTransfer(ref));
      assert.equal(hears(await drained(rival), ref, 'cancelled'), 1, 'the other side hears of one');
    });

    test(`${fault}: an answer to a transfer is given once`, async () => {
      const { driver, rival } = trial();
      for (const answer of ['approve', 'reject'] as const) {
        const ref = await trial().asked(driver, rival);
        await despite(ref, `${answer}_transfer`, () => driver.answerTransfer(ref, answer));
        assert.equal((await rival.info(ref))?.sponsoredHere, answer === 'approve');
        assert.equal(hears(await drained(rival), ref, answer === 'approve' ? 'approved' : 'rejected'), 1);
      }
    });
  }
}
