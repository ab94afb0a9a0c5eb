import { randomUUID } from 'node:crypto';
import { type Caller, type Harness, NO_RDNS_HOST } from '../harness.ts';
import type { Cases, Prepare } from './case.ts';
import { consentRefusals, orderRefusals } from './ordering.ts';

const HOST = 'fra-epyc';
/** Where there is no room: filled by the case that needs it. */
const FULL_HOST = 'hel-ryzen';

async function order({ catalog }: Harness) {
  const pack = catalog.server_packages.find((known) => known.sold && known.host === HOST);
  if (pack === undefined) throw new Error(`${HOST} sells no package`);
  return {
    host: HOST,
    pack_uuid: pack.uuid,
    os: 'debian-13',
    hostname: 'web.example.com',
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
  const headers = { prefer: 'wait=20' };
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

const unknown: Prepare = async (harness) => ({ as: await harness.customer(), input: { uuid: randomUUID() } });

export const cases: Cases = {
  'server/config': { succeeds: onServer, refuses: { not_found: unknown } },
  'server/status': { succeeds: onServer, refuses: { not_found: unknown } },
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
      ...consentRefusals(order),
      not_found: changedOrder({ pack_uuid: randomUUID() }),
      validation_failed: changedOrder({ host: 'nowhere' }),
      os_requirements_not_met: changedOrder({ ...ownSize, os: 'rocky-9' }),
      not_supported_by_backend: changedOrder({ ...ownSize, host: NO_RDNS_HOST, rdns: 'web.example.com' }),
      out_of_stock: async (harness) => {
        await harness.pool.pg.query('UPDATE nodes SET cores_used = 1000000 WHERE host = $1', [FULL_HOST]);
        return await changedOrder({ ...ownSize, host: FULL_HOST })(harness);
      },
    },
  },
};
