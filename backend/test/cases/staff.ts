import { randomUUID } from 'node:crypto';
import type { Cases, Prepare } from './case.ts';
import { licensed } from './license.ts';

const onLicense =
  (more: Record<string, unknown> = {}): Prepare =>
  async (harness) => {
    const { uuid } = await licensed(harness);
    return { as: await harness.operator(), input: { uuid, reason: 'abuse', ...more } };
  };

const unknown: Prepare = async (harness) => ({
  as: await harness.operator(),
  input: { uuid: randomUUID(), reason: 'abuse' },
});

const adjustment =
  (change: Record<string, unknown>): Prepare =>
  async (harness) => {
    const { accountId } = await harness.customer();
    return {
      as: await harness.operator(),
      input: { uuid: accountId, amount: 12.5, reason: 'Goodwill', ...change },
    };
  };

export const cases: Cases = {
  'staff/customers': {
    succeeds: async (harness) => ({ as: await harness.operator() }),
    refuses: {
      validation_failed: async (harness) => ({ as: await harness.operator(), input: { page: 1_000_000 } }),
    },
  },
  'staff/adjust-balance': {
    succeeds: adjustment({}),
    refuses: { not_found: adjustment({ uuid: randomUUID() }), validation_failed: adjustment({ amount: 0 }) },
  },
  'staff/suspend': {
    succeeds: onLicense(),
    refuses: {
      not_found: unknown,
      state_conflict: async (harness) => {
        const call = await onLicense()(harness);
        const { uuid } = call.input as { uuid: string };
        await harness.pool.pg.query("UPDATE services SET state = 'cancelled' WHERE id = $1", [uuid]);
        return call;
      },
    },
  },
  'staff/unsuspend': { succeeds: onLicense(), refuses: { not_found: unknown } },
};
