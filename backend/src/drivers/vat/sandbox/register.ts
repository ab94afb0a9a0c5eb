import { BackendUnavailable } from '../../outcome.ts';
import type { VatAnswer, VatRegister } from '../port.ts';

const NUMBER = /^[A-Z]{2}[0-9A-Z+*]{2,12}$/;

/**
 * A register in this process, for the demonstration and for tests: what it says follows from the number alone.
 * One that ends in 999 is not registered, of one that ends in 000 it cannot say anything, and every other that
 * looks like a VAT number is registered. See docs/guides/sandbox.md.
 */
export class SandboxVatRegister implements VatRegister {
  async check(vatId: string, requester: string | null): Promise<VatAnswer> {
    if (vatId.endsWith('000')) throw new BackendUnavailable('sandbox VAT register');
    if (!NUMBER.test(vatId) || vatId.endsWith('999')) return { state: 'invalid' };
    return {
      state: 'valid',
      name: `Sandbox Company ${vatId}`,
      address: '1 Sandbox Street',
      reference: requester === null ? null : `SANDBOX-${vatId}`,
    };
  }
}
