import { randomUUID } from 'node:crypto';
import { type Caller, type Harness, NO_RDNS_HOST } from '../harness.ts';
import type { Cases, Prepare } from './case.ts';
import { consoleRefusals } from './console.ts';
import { newOrderRefusals, orderRefusals } from './ordering.ts';
import { changeCases } from './server-change.ts';
import { diskCases } from './server-disk.ts';
import { mediaCases } from './server-media.ts';

const HOST = 'fra-epyc';
/** Where there is no room: filled by the case that needs it. */
const FULL_HOST = 'hel-ryzen';

/** The name of every server that is ordered here. */
const HOSTNAME = 'web.example.com';

async function order({ catalog }: Harness) {
  const pack = catalog.server_packages.find((known) => known.sold && known.host === HOST);
  if (pack === undefined) throw new Error(`${HOST} sells no package`);
  return {
    host: HOST,
    pack_uuid: pack.uuid,
    os: 'debian-13',
    hostname: HOSTNAME,
    duration: 1,
    tos: true,
    cancellation: true,
  };
}

const changedOrder =
  (change: Record<string, unknown>): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { ...(await order(harness)), ...change } });

/** Without the package: a size of the customer's own. */
const ownSize = { pack_uuid: undefined, cores: 1, memory: 1024, disk: 20 };

/** A customer with a server that is there, and the task that made it. */
export async function provisioned(harness: Harness): Promise<{ as: Caller; uuid: string; taskUuid: string }> {
  const as = await harness.customer();
  const headers = { prefer: 'wait=30' };
  const { server_uuid, task } = await harness.data('server/order', {
    as,
    input: await order(harness),
    headers,
  });
  return { as, uuid: server_uuid, taskUuid: task.uuid };
}

const onServer: Prepare = async (harness) => {
  const { as, uuid } = await provisioned(harness);
  return { as, input: { uuid } };
};

const renewal = async (harness: Harness, as: Caller) => {
  const input = await order(harness);
  const { server_uuid } = await harness.data('server/order', { as, input, headers: { prefer: 'wait=30' } });
  return { uuid: server_uuid, duration: 1 };
};

const withServer =
  (more: Record<string, unknown>, state?: string): Prepare =>
  async (harness) => {
    const { as, uuid } = await provisioned(harness);
    if (state !== undefined)
      await harness.pool.pg.query('UPDATE services SET state = $2 WHERE id = $1', [uuid, state]);
    return { as, input: { uuid, ...more } };
  };

const unknownWith =
  (more: Record<string, unknown>): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { uuid: randomUUID(), ...more } });

const unknown: Prepare = async (harness) => ({ as: await harness.customer(), input: { uuid: randomUUID() } });

export const cases: Cases = {
  ...changeCases,
  ...diskCases,
  ...mediaCases,
  'server/vnc': { succeeds: onServer, refuses: consoleRefusals(onServer) },
  'server/config': { succeeds: onServer, refuses: { not_found: unknown } },
  'server/status': { succeeds: onServer, refuses: { not_found: unknown } },
  'server/rrddata': {
    succeeds: withServer({ timeframe: 'day' }),
    refuses: { not_found: unknownWith({ timeframe: 'day' }) },
  },
  'server/hosts': { succeeds: async () => ({ as: null }), refuses: {} },
  'server/os': {
    succeeds: onServer,
    refuses: {
      not_found: unknown,
      token_missing: async () => ({ as: null, input: { uuid: randomUUID() } }),
    },
  },
  'server/prices': {
    succeeds: async () => ({ as: null }),
    refuses: { validation_failed: async () => ({ as: null, input: { currency: 'XTS' } }) },
  },
  'server/list': {
    succeeds: async (harness) => ({ as: (await provisioned(harness)).as }),
    refuses: {
      validation_failed: async (harness) => ({ as: await harness.customer(), input: { page: 1_000_000 } }),
    },
  },
  'server/order': {
    succeeds: async (harness) => ({ as: await harness.customer(), input: await order(harness) }),
    refuses: {
      ...orderRefusals(order),
      ...newOrderRefusals(order),
      not_found: changedOrder({ pack_uuid: randomUUID() }),
      validation_failed: changedOrder({ host: 'nowhere' }),
      os_requirements_not_met: changedOrder({ ...ownSize, os: 'rocky-9' }),
      not_supported_by_backend: changedOrder({ ...ownSize, host: NO_RDNS_HOST, rdns: 'web.example.com' }),
      rdns_invalid: changedOrder({ rdns: '127.0.0.1.fra1.example.net' }),
      out_of_stock: async (harness) => {
        await harness.pool.pg.query('UPDATE nodes SET cores_used = 1000000 WHERE host = $1', [FULL_HOST]);
        return await changedOrder({ ...ownSize, host: FULL_HOST })(harness);
      },
    },
  },
  'server/renew': {
    succeeds: withServer({ duration: 1 }),
    refuses: {
      ...orderRefusals(renewal),
      not_found: unknownWith({ duration: 1 }),
      state_conflict: withServer({ duration: 1 }, 'cancelled'),
      version_mismatch: withServer({ duration: 1, expected_expire_at: '2020-01-01 00:00:00' }),
      validation_failed: withServer({ duration: 35 }),
      resource_locked: async (harness) => {
        const { as, uuid } = await provisioned(harness);
        await harness.pool.pg.query(
          `INSERT INTO tasks (id, account_id, type, state, resource_type, resource_id, created_at)
           SELECT gen_random_uuid(), account_id, 'server.resize', 'running', 'server', id, created_at
           FROM services WHERE id = $1`,
          [uuid],
        );
        return { as, input: { uuid, duration: 1 } };
      },
    },
  },
  'server/settings': {
    succeeds: withServer({ auto_renew: true, custom_name: 'Shop' }),
    refuses: {
      not_found: unknownWith({ auto_renew: true }),
      version_mismatch: withServer({ auto_renew: true, expected_version: 99 }),
      state_conflict: withServer({ auto_renew: true }, 'cancelled'),
    },
  },
  'server/cancel': {
    succeeds: withServer({ confirm: HOSTNAME }),
    refuses: {
      not_found: unknownWith({ confirm: HOSTNAME }),
      confirmation_mismatch: withServer({ confirm: 'other.example.com' }),
      resource_protected: async (harness) => {
        const call = await withServer({ confirm: HOSTNAME, mode: 'immediate' })(harness);
        await harness.pool.pg.query(
          'UPDATE servers SET protect_delete = true FROM services s WHERE s.id = servers.id AND s.account_id = $1',
          [call.as?.accountId],
        );
        return call;
      },
      state_conflict: withServer({ confirm: HOSTNAME }, 'cancelled'),
      withdrawal_not_available: async (harness) => {
        const call = await withServer({ confirm: HOSTNAME, mode: 'withdraw' })(harness);
        await harness.pool.pg.query(
          "UPDATE orders SET created_at = created_at - interval '30 days' WHERE account_id = $1",
          [call.as?.accountId],
        );
        return call;
      },
    },
  },
};
