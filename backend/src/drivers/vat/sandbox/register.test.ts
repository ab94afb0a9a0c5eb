import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vatRegisterContract } from '../../../../test/contracts/vat.ts';
import { SandboxVatRegister } from './register.ts';

vatRegisterContract('sandbox', () => new SandboxVatRegister(), {
  valid: 'ATU12345678',
  invalid: 'ATU12345999',
  unavailable: 'ATU12345000',
  silent: null,
  requester: 'DE136695976',
});

test('what is no VAT number is not registered', async () => {
  assert.deepEqual(await new SandboxVatRegister().check('hello', null), { state: 'invalid' });
});

test('without a requester there is no number of the consultation', async () => {
  const answer = await new SandboxVatRegister().check('ATU12345678', null);
  assert.deepEqual(answer, {
    state: 'valid',
    name: 'Sandbox Company ATU12345678',
    address: '1 Sandbox Street',
    reference: null,
  });
});
