import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackendUnavailable } from '../../src/drivers/outcome.ts';
import type { VatRegister } from '../../src/drivers/vat/port.ts';

/** What the register under test knows, each number with its country's prefix. */
export interface KnownNumbers {
  readonly valid: string;
  readonly invalid: string;
  /** A number that the register cannot say anything of at the moment. */
  readonly unavailable: string;
  /** A number that is not answered before any deadline; null where the register cannot be made slow. */
  readonly silent: string | null;
  /** Whose number can be given as the requester's. */
  readonly requester: string;
}

const DEADLINE_MS = 5_000;
const SOON_MS = 50;

/** What every driver of the port keeps. `open` gives one that asks a register with the known numbers. */
export function vatRegisterContract(driver: string, open: () => VatRegister, numbers: KnownNumbers): void {
  test(`${driver}: a registered number is valid`, async () => {
    const answer = await open().check(numbers.valid, null, DEADLINE_MS);
    assert.equal(answer.state, 'valid');
  });

  test(`${driver}: a requester gets a number of the consultation`, async () => {
    const answer = await open().check(numbers.valid, numbers.requester, DEADLINE_MS);
    assert.ok(answer.state === 'valid' && answer.reference, 'a proof');
  });

  test(`${driver}: a number that is not registered is invalid, whoever asks`, async () => {
    assert.deepEqual(await open().check(numbers.invalid, null, DEADLINE_MS), { state: 'invalid' });
    assert.deepEqual(await open().check(numbers.invalid, numbers.requester, DEADLINE_MS), {
      state: 'invalid',
    });
  });

  test(`${driver}: that the register cannot say is no answer`, async () => {
    await assert.rejects(open().check(numbers.unavailable, null, DEADLINE_MS), BackendUnavailable);
  });

  test(`${driver}: numbers asked for at the same time get their own answers`, async () => {
    const register = open();
    const states = await Promise.all(
      [numbers.valid, numbers.invalid, numbers.valid].map(
        async (number) => (await register.check(number, null, DEADLINE_MS)).state,
      ),
    );
    assert.deepEqual(states, ['valid', 'invalid', 'valid']);
  });

  const { silent } = numbers;
  if (silent === null) return;
  test(`${driver}: the deadline ends the wait, and says nothing of the number`, async () => {
    await assert.rejects(open().check(silent, null, SOON_MS), BackendUnavailable);
  });
}
