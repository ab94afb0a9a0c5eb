import type { Cases, Prepare } from './case.ts';

const check =
  (domain: string): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { domain } });

export const cases: Cases = {
  'domain/check': {
    succeeds: check('hostkeep-every-operation.com'),
    refuses: { unsupported_tld: check('example.zz') },
  },
  'domain/pricelist': {
    succeeds: async () => ({ as: null }),
    refuses: { validation_failed: async () => ({ as: null, input: { currency: 'XTS' } }) },
  },
};
