import { attempt, bucketOf } from '../../src/business/core/access/attempt.ts';
import type { Cases, Prepare } from './case.ts';
import { consoleRefusals } from './console.ts';
import { provisioned } from './server.ts';

const asking =
  (input: object): Prepare =>
  async (harness) => ({ as: await harness.customer(), input });

const onServer: Prepare = async (harness) => {
  const { as, uuid } = await provisioned(harness);
  return { as, input: { uuid } };
};

export const cases: Cases = {
  'tools/novnc': { succeeds: onServer, refuses: consoleRefusals(onServer) },
  'tools/create-uuid': { succeeds: asking({ version: 7, count: 3 }), refuses: {} },
  'tools/iban-verify': { succeeds: asking({ iban: 'DE89 3704 0044 0532 0130 00' }), refuses: {} },
  'tools/network': {
    succeeds: asking({ address: '9.9.9.9' }),
    refuses: {
      validation_failed: asking({ address: 'missing.example.com' }),
      backend_unavailable: asking({ address: 'timeout.example.com' }),
    },
  },
  'tools/whois': {
    succeeds: asking({ query: 'example.com' }),
    refuses: {
      rate_limited: async (harness) => {
        const as = await harness.customer();
        const limit = { bucket: bucketOf('whois-of', as.accountId), limit: 30, windowSeconds: 60 };
        for (let count = 0; count < 30; count += 1) await attempt(harness.pool, [limit], harness.clock.now());
        return { as, input: { query: 'example.com' } };
      },
      backend_error: asking({ query: 'failing-test.com' }),
    },
  },
};
