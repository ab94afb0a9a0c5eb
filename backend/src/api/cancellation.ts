import { z } from 'zod';
import { type Amount, wireAmount } from '../base/money.ts';
import { wireTimeOrNull } from '../base/time.ts';
import type { CatalogVersion } from '../business/core/catalog/versions.ts';
import {
  CANCELLATION_REASONS,
  type CancellationOutcome,
  type CancellationRequest,
} from '../business/selling/subscriptions/cancellation/cancellation.ts';
import {
  CANCELLATION_MODES,
  type CancellationPlan,
} from '../business/selling/subscriptions/cancellation/cancellation-plan.ts';
import type { Refusal, RefusalDetail } from '../errors.ts';
import { currency, dryRun, money, timestamp, uuid } from './field.ts';

/** What the cancellation of every product takes, beside its uuid. */
export const cancellationFields = {
  mode: z
    .enum(CANCELLATION_MODES)
    .default('end_of_term')
    .describe(
      '`end_of_term` lets the paid term run out, `immediate` ends it now without a refund, `withdraw` uses the ' +
        'statutory right of withdrawal, `revoke` takes back a cancellation to the end of the term while it runs.',
    ),
  reason: z.enum(CANCELLATION_REASONS).optional(),
  comment: z.string().trim().max(1000, 'At most 1000 characters.').optional(),
  dry_run: dryRun.describe('Validate and compute everything, change nothing; `data` holds a `preview`.'),
};

export const CANCELLATION_ERRORS = ['state_conflict', 'withdrawal_not_available'] as const;

export const refund = z.object({
  amount: money,
  currency,
  basis: z.enum(['none', 'pro_rata', 'statutory_withdrawal']),
  transaction_uuid: uuid.nullable().describe('Of the first of `parts`.'),
  parts: z.array(z.object({ order_id: uuid, amount: money, transaction_uuid: uuid.nullable() })),
});

export const cancelled = z.object({
  uuid,
  state: z.string(),
  mode: z.enum(CANCELLATION_MODES),
  cancel_at: timestamp.nullable().describe('When the service ends.'),
  revocable_until: timestamp.nullable(),
  data_deleted_at: timestamp.nullable(),
  refund,
});

export const cancellationOutput = z.union([cancelled, z.object({ preview: cancelled })]);

interface CancellationInput {
  readonly mode: CancellationRequest['mode'];
  readonly reason?: CancellationRequest['reason'] | undefined;
  readonly comment?: string | undefined;
  readonly dry_run: boolean;
}

export function cancellationRequest(input: CancellationInput, requestedBy: string): CancellationRequest {
  const { mode, dry_run: dryRun, reason = null } = input;
  return { mode, dryRun, reason, comment: input.comment || null, requestedBy };
}

interface Cancelling {
  readonly catalog: CatalogVersion;
  refusal(code: (typeof CANCELLATION_ERRORS)[number], detail?: RefusalDetail): Refusal;
}

/** What became of a service, or what would, or the refusal that the outcome stands for. */
export function cancelledOrRefuse(
  ctx: Cancelling,
  serviceId: string,
  outcome: CancellationOutcome,
): z.input<typeof cancellationOutput> {
  switch (outcome.kind) {
    case 'state_conflict': {
      const members = { current_state: outcome.current, allowed_states: outcome.allowed };
      throw ctx.refusal('state_conflict', { members });
    }
    case 'being_delivered': {
      const members = { current_state: outcome.current, task_uuid: outcome.taskId };
      throw ctx.refusal('state_conflict', { members });
    }
    case 'withdrawal_not_available':
      throw ctx.refusal('withdrawal_not_available', { members: { reason: outcome.reason } });
    case 'planned': {
      const parts = outcome.plan.refunds.map(({ order, gross }) => ({
        orderId: order.id,
        gross,
        entryId: null,
      }));
      return { preview: wireCancellation(ctx.catalog, serviceId, outcome.plan, parts) };
    }
    case 'done': {
      const parts = outcome.refunds.map(({ order, gross, entryId }) => ({
        orderId: order.id,
        gross,
        entryId,
      }));
      return wireCancellation(ctx.catalog, serviceId, outcome.plan, parts);
    }
  }
}

interface RefundPart {
  readonly orderId: string;
  readonly gross: Amount;
  readonly entryId: string | null;
}

function wireCancellation(
  catalog: CatalogVersion,
  serviceId: string,
  plan: CancellationPlan,
  parts: readonly RefundPart[],
): z.input<typeof cancelled> {
  return {
    uuid: serviceId,
    state: plan.state,
    mode: plan.mode,
    cancel_at: wireTimeOrNull(plan.endsAt),
    revocable_until: wireTimeOrNull(plan.revocableUntil),
    data_deleted_at: wireTimeOrNull(plan.deleteAt),
    refund: {
      amount: wireAmount(parts.reduce((sum, { gross }) => sum + gross, 0n)),
      currency: catalog.content.currency,
      basis: plan.mode === 'withdraw' ? 'statutory_withdrawal' : 'none',
      transaction_uuid: parts[0]?.entryId ?? null,
      parts: parts.map(({ orderId, gross, entryId }) => ({
        order_id: orderId,
        amount: wireAmount(gross),
        transaction_uuid: entryId,
      })),
    },
  };
}
