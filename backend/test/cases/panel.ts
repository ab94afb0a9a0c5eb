import { randomUUID } from 'node:crypto';
import type { Caller, Harness } from '../harness.ts';
import type { Cases, Prepare } from './case.ts';
import { licensed, licenseTerm, licenseOrder as order } from './license.ts';
import { newOrderRefusals, orderRefusals } from './ordering.ts';

async function renewal(harness: Harness, as: Caller) {
  const { license_uuid } = await harness.data('panel/order', { as, input: await order(harness) });
  const { duration, duration_unit } = licenseTerm(harness);
  return { uuid: license_uuid, duration, duration_unit };
}

const withLicense =
  (more: Record<string, unknown> = {}): Prepare =>
  async (harness) => {
    const { as, uuid } = await licensed(harness);
    return { as, input: { uuid, ...more } };
  };

const unknown =
  (more: Record<string, unknown> = {}): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { uuid: randomUUID(), ...more } });

const inState =
  (state: string, more: Record<string, unknown> = {}): Prepare =>
  async (harness) => {
    const { as, uuid } = await licensed(harness);
    await harness.pool.pg.query('UPDATE services SET state = $2 WHERE id = $1', [uuid, state]);
    return { as, input: { uuid, ...more } };
  };

const tooDeep: Prepare = async (harness) => ({ as: await harness.customer(), input: { page: 1_000_000 } });

export const cases: Cases = {
  'panel/packages': { succeeds: async () => ({ as: null }), refuses: {} },
  'panel/public-key': { succeeds: async () => ({ as: null }), refuses: {} },
  'panel/list': {
    succeeds: async (harness) => ({ as: (await licensed(harness)).as }),
    refuses: { validation_failed: tooDeep },
  },
  'panel/details': { succeeds: withLicense(), refuses: { not_found: unknown() } },
  'panel/order': {
    succeeds: async (harness) => ({ as: await harness.customer(), input: await order(harness) }),
    refuses: {
      ...orderRefusals(order),
      ...newOrderRefusals(order),
      not_found: async (harness) => ({
        as: await harness.customer(),
        input: { ...(await order(harness)), pack_uuid: randomUUID() },
      }),
      validation_failed: async (harness) => ({
        as: await harness.customer(),
        input: { ...(await order(harness)), duration: 35 },
      }),
    },
  },
  'panel/renew': {
    succeeds: async (harness) => {
      const as = await harness.customer();
      return { as, input: await renewal(harness, as) };
    },
    refuses: {
      ...orderRefusals(renewal),
      not_found: unknown({ duration: 1 }),
      state_conflict: inState('cancelled', { duration: 1 }),
      version_mismatch: withLicense({ duration: 1, expected_expire_at: '2020-01-01 00:00:00' }),
      validation_failed: withLicense({ duration: 35 }),
    },
  },
  'panel/rename': {
    succeeds: withLicense({ custom_name: 'Shop' }),
    refuses: {
      not_found: unknown({ custom_name: 'Shop' }),
      version_mismatch: withLicense({ custom_name: 'Shop', expected_version: 99 }),
    },
  },
  'panel/bind-ip': {
    succeeds: withLicense({ ip_address: '192.0.2.7' }),
    refuses: {
      not_found: unknown({ ip_address: '192.0.2.7' }),
      ip_limit_reached: async (harness) => {
        const { as, uuid } = await licensed(harness);
        await harness.data('panel/bind-ip', { as, input: { uuid, ip_address: '192.0.2.7' } });
        return { as, input: { uuid, ip_address: '192.0.2.8' } };
      },
    },
  },
  'panel/unbind-ip': {
    succeeds: async (harness) => {
      const { as, uuid } = await licensed(harness);
      await harness.data('panel/bind-ip', { as, input: { uuid, ip_address: '192.0.2.7' } });
      return { as, input: { uuid, ip_address: '192.0.2.7' } };
    },
    refuses: {
      not_found: unknown({ ip_address: '192.0.2.7' }),
      ip_not_assigned: withLicense({ ip_address: '192.0.2.7' }),
    },
  },
  'panel/license-file': {
    succeeds: withLicense(),
    refuses: { not_found: unknown(), state_conflict: inState('suspended') },
  },
  'panel/validate': {
    succeeds: async (harness) => {
      const { key } = await licensed(harness);
      return { as: null, input: { license_key: key, nonce: 'b1946ac92492d234' } };
    },
    refuses: {},
  },
  'panel/settings': {
    succeeds: withLicense({ auto_renew: true }),
    refuses: {
      not_found: unknown({ auto_renew: true }),
      version_mismatch: withLicense({ auto_renew: true, expected_version: 99 }),
      state_conflict: inState('cancelled', { auto_renew: true }),
    },
  },
  'panel/cancel': {
    succeeds: withLicense(),
    refuses: {
      not_found: unknown(),
      state_conflict: inState('cancelled'),
      // The operator grants none for licenses.
      withdrawal_not_available: withLicense({ mode: 'withdraw' }),
    },
  },
};
