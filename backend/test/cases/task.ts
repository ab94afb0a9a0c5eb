import { randomUUID } from 'node:crypto';
import type { Cases } from './case.ts';
import { provisioned } from './server.ts';

export const cases: Cases = {
  'task/details': {
    succeeds: async (harness) => {
      const { as, taskUuid } = await provisioned(harness);
      return { as, input: { uuid: taskUuid } };
    },
    refuses: {
      not_found: async (harness) => ({ as: await harness.customer(), input: { uuid: randomUUID() } }),
    },
  },
  'task/list': {
    succeeds: async (harness) => ({ as: (await provisioned(harness)).as }),
    refuses: {
      validation_failed: async (harness) => ({ as: await harness.customer(), input: { page: 1_000_000 } }),
    },
  },
};
