import { randomUUID } from 'node:crypto';
import { planFault, type SandboxCommand } from '../../src/drivers/hypervisor/sandbox/fault.ts';
import type { Cases, Prepare } from './case.ts';
import { provisioned } from './server.ts';

/** A task whose command has no outcome, and whose hypervisor does not answer `silent` either. */
const stuck =
  (silent: readonly SandboxCommand[]): Prepare =>
  async (harness) => {
    const { as, uuid: serverId } = await provisioned(harness);
    const fault = { fault: 'timeout_before', times: 1000, serverId } as const;
    await planFault(harness.pool, { ...fault, command: 'ensure_power' });
    const { task } = await harness.data('server/power', { as, input: { uuid: serverId, action: 'stop' } });
    for (const command of silent) await planFault(harness.pool, { ...fault, command });
    return { as: await harness.operator(), input: { uuid: task.uuid } };
  };

/** What operators do to servers. */
export const staffServerCases: Cases = {
  'staff/task-cancel': {
    succeeds: stuck(['status']),
    refuses: {
      not_found: async (harness) => ({ as: await harness.operator(), input: { uuid: randomUUID() } }),
      state_conflict: stuck([]),
    },
  },
  'staff/task-retry': {
    succeeds: stuck([]),
    refuses: {
      not_found: async (harness) => ({ as: await harness.operator(), input: { uuid: randomUUID() } }),
    },
  },
  'staff/backend-retry': {
    succeeds: async (harness) => ({
      as: await harness.operator(),
      input: { name: 'hypervisor:fra-epyc/fra-epyc-01' },
    }),
    refuses: {},
  },
  'staff/backends': {
    succeeds: async (harness) => ({ as: await harness.operator(), input: {} }),
    refuses: {},
  },
  'staff/server-mail': {
    succeeds: async (harness) => {
      const { uuid } = await provisioned(harness);
      return { as: await harness.operator(), input: { uuid, open: true } };
    },
    refuses: {
      not_found: async (harness) => ({
        as: await harness.operator(),
        input: { uuid: randomUUID(), open: true },
      }),
    },
  },
  'staff/null-route': {
    succeeds: async (harness) => {
      const { as, uuid } = await provisioned(harness);
      const { ipv4 } = await harness.data('server/ipaddresses', { as, input: { uuid } });
      return {
        as: await harness.operator(),
        input: { ip_address: ipv4[0].ip_address, null_routed: true, reason: 'Attack' },
      };
    },
    refuses: {
      not_found: async (harness) => ({
        as: await harness.operator(),
        input: { ip_address: '192.0.2.1', null_routed: true },
      }),
    },
  },
};
