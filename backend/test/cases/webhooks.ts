import { randomUUID } from 'node:crypto';
import type { Harness } from '../harness.ts';
import type { Cases, OperationCases, Prepare } from './case.ts';
import { codesUsedUp, guarded, ownCode, WRONG_CODE } from './people.ts';

const WEBHOOK = { url: 'https://hooks.example.com/hosting', events: ['*'] };

/** A customer with a webhook. */
async function watched(harness: Harness) {
  const as = await harness.customer();
  const { uuid } = await harness.data('account/webhook-create', { as, input: WEBHOOK });
  return { as, uuid: String(uuid) };
}

const asCustomer =
  (input: Record<string, unknown> = {}): Prepare =>
  async (harness) => ({ as: await harness.customer(), input });

const onWebhook =
  (input: Record<string, unknown> = {}): Prepare =>
  async (harness) => {
    const { as, uuid } = await watched(harness);
    return { as, input: { uuid, ...input } };
  };

const onInactive =
  (input: Record<string, unknown> = {}): Prepare =>
  async (harness) => {
    const { as, uuid } = await watched(harness);
    await harness.data('account/webhook-update', { as, input: { uuid, active: false } });
    return { as, input: { uuid, ...input } };
  };

/** A session of who has a second factor leads a webhook elsewhere. */
const ledElsewhere = async (harness: Harness) => {
  const { as } = await guarded(harness);
  const { uuid } = await harness.data('account/webhook-create', { as, input: WEBHOOK });
  const session = await harness.tokenOf(as, { kind: 'session' });
  return { as: session, input: { uuid, url: 'https://elsewhere.example.com/' } };
};

const withoutItsCode: OperationCases['refuses'] = {
  two_factor_required: ledElsewhere,
  two_factor_invalid: async (harness) => {
    const { as, input } = await ledElsewhere(harness);
    return { as, input: { ...input, code: WRONG_CODE } };
  },
  rate_limited: async (harness) => {
    const { as, input } = await ledElsewhere(harness);
    await codesUsedUp(harness, as.userId);
    return { as, input: { ...input, code: WRONG_CODE } };
  },
};

const unknown = asCustomer({ uuid: randomUUID() });

/** Of the group account. */
export const webhooks: Cases = {
  'account/webhooks': { succeeds: async (harness) => ({ as: (await watched(harness)).as }), refuses: {} },
  'account/webhook-create': {
    succeeds: asCustomer(WEBHOOK),
    refuses: {
      ...ownCode(WEBHOOK),
      webhook_limit_reached: async (harness) => {
        const { as } = await watched(harness);
        for (let more = 1; more < 10; more += 1) {
          await harness.data('account/webhook-create', { as, input: WEBHOOK });
        }
        return { as, input: WEBHOOK };
      },
    },
  },
  'account/webhook-update': {
    succeeds: onWebhook({ description: 'Shop' }),
    refuses: { not_found: unknown, ...withoutItsCode },
  },
  'account/webhook-delete': { succeeds: onWebhook(), refuses: { not_found: unknown } },
  'account/webhook-test': {
    succeeds: onWebhook(),
    refuses: {
      not_found: unknown,
      state_conflict: onInactive(),
      rate_limited: async (harness) => {
        const call = await onWebhook()(harness);
        for (let times = 0; times < 30; times += 1) await harness.call('account/webhook-test', call);
        return call;
      },
    },
  },
  'account/webhook-replay': {
    succeeds: onWebhook({ from_sequence: 1 }),
    refuses: {
      not_found: asCustomer({ uuid: randomUUID(), from_sequence: 1 }),
      state_conflict: onInactive({ from_sequence: 1 }),
      validation_failed: onWebhook(),
    },
  },
  'account/webhook-deliveries': {
    succeeds: onWebhook(),
    refuses: { not_found: unknown, validation_failed: onWebhook({ page: 1_000_000 }) },
  },
};
