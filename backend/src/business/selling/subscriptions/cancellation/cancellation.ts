import { randomUUIDv7 } from 'node:crypto';
import { type Instant, wireTime, wireTimeOrNull } from '../../../../base/time.ts';
import { bulkUpdate } from '../../../../db/changes.ts';
import { statement } from '../../../../db/statement.ts';
import type { Transaction } from '../../../../db/transaction.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../../core/catalog/versions.ts';
import { queueMail } from '../../../notifications/mail/outbox.ts';
import { type Refund, refundOrder } from '../../orders/refund.ts';
import { converge, productOf } from '../product.ts';
import { BEING_MADE, type ServiceState } from '../service.ts';
import {
  type Cancellable,
  type CancellationMode,
  type CancellationPlan,
  loadCancellable,
  type NoCancellation,
  planCancellation,
} from './cancellation-plan.ts';
import { endingOf, endOrder } from './open-orders.ts';

/** Why customers leave, for the operator's statistics. */
export const CANCELLATION_REASONS = [
  'price',
  'performance',
  'no_longer_needed',
  'support',
  'moving',
  'other',
] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

/** Who cancels how, and what is said about it. */
export interface CancellationRequest {
  readonly mode: CancellationMode;
  /** Only what it would come to. */
  readonly dryRun: boolean;
  readonly reason: CancellationReason | null;
  readonly comment: string | null;
  readonly requestedBy: string | null;
}

export type CancellationOutcome =
  | { readonly kind: 'planned'; readonly plan: CancellationPlan }
  /** The refunds, in the plan's order. */
  | { readonly kind: 'done'; readonly plan: CancellationPlan; readonly refunds: readonly Refund[] }
  | NoCancellation;

/**
 * Cancels a service, of whatever product, or takes its cancellation back. The service must be locked, and before it
 * its account. What has ended is switched off by its back end at once, and deleted when its keeping is over.
 */
export async function requestCancellation(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  serviceId: string,
  request: CancellationRequest,
): Promise<CancellationOutcome> {
  const service = await loadCancellable(tx, serviceId, uow.now);
  const decision = planCancellation(uow, catalog, service, request.mode);
  if (decision.kind !== 'planned' || request.dryRun) return decision;
  const { plan } = decision;
  return { kind: 'done', plan, refunds: await cancel(tx, uow, service, plan, request) };
}

const insert = statement<object>(
  'insert_cancellation',
  `INSERT INTO cancellations (id, service_id, account_id, mode, reason, comment, requested_by, requested_at, effective_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const revokeOpen = statement<object>(
  'revoke_cancellation',
  'UPDATE cancellations SET revoked_at = $2 WHERE service_id = $1 AND revoked_at IS NULL',
);
const resumeAs = statement<object>(
  'resume_suspended_as',
  'UPDATE suspensions SET resumes_as = $2 WHERE service_id = $1',
);

async function cancel(
  tx: Transaction,
  uow: UnitOfWork,
  service: Cancellable,
  plan: CancellationPlan,
  request: CancellationRequest,
): Promise<Refund[]> {
  const { id } = service;
  // An immediate end takes the place of one to the end of the term.
  if (service.scheduled !== null) await tx.run(revokeOpen, [id, uow.now]);
  if (plan.endsAt === null) {
    await tx.run(resumeAs, [id, 'active']);
    uow.changes.add(serviceScheduled, { id, state: plan.state, due_at: uow.now });
    emit(uow, lockedAccount(uow, service.account_id), {
      type: `${service.product}.cancellation_revoked`,
      resource: { type: service.product, id },
      body: { expire_at: service.expire_at },
    });
    return [];
  }
  const cancellationId = randomUUIDv7();
  const { reason, comment, requestedBy } = request;
  await tx.run(insert, [
    cancellationId,
    id,
    service.account_id,
    plan.mode,
    reason,
    comment,
    requestedBy,
    uow.now,
    plan.endsAt,
  ]);
  // Nobody waits for it any more, whenever the service ends.
  for (const order of service.open.filter((one) => endingOf(one) === 'now'))
    await endOrder(tx, uow, order, { reason: 'cancelled before it was there', error: null });
  if (plan.mode === 'end_of_term') {
    await tx.run(resumeAs, [id, 'cancel_scheduled']);
    uow.changes.add(serviceScheduled, { id, state: plan.state, due_at: plan.endsAt });
  } else {
    const { deleteAt } = plan;
    const isUnmade =
      BEING_MADE.includes(service.state) && service.open.every((one) => endingOf(one) === 'now');
    // Of what no back end has heard of there is nothing to keep.
    const { decidedByBackend } = productOf(service.product);
    const isOver = isUnmade && decidedByBackend !== undefined;
    if (isOver) decidedByBackend.endUnmade(uow, id);
    uow.changes.add(serviceCancelled, {
      id,
      state: isOver ? 'deleted' : plan.state,
      ended_at: uow.now,
      delete_at: deleteAt,
      due_at: isOver ? null : deleteAt,
    });
    // What a job may still make is removed when the service is deleted, which is now.
    if (!isUnmade) converge(uow, service);
  }
  const refunds = plan.refunds.map(({ order, gross, periodFrom }) =>
    refundOrder(uow, order, {
      gross,
      basis: 'statutory_withdrawal',
      periodFrom,
      // The basis says it, in every language.
      reason: '',
      createdBy: requestedBy,
    }),
  );
  tell(uow, service, plan, cancellationId, refunds);
  return refunds;
}

function tell(
  uow: UnitOfWork,
  service: Cancellable,
  plan: CancellationPlan,
  cancellationId: string,
  refunds: readonly Refund[],
): void {
  const account = lockedAccount(uow, service.account_id);
  const endsAt = plan.endsAt ?? uow.now;
  emit(uow, account, {
    type: `${service.product}.cancelled`,
    resource: { type: service.product, id: service.id },
    body: {
      mode: plan.mode,
      state: plan.state,
      effective_at: endsAt,
      delete_at: plan.deleteAt,
      refunded_minor: Number(refunds.reduce((sum, { gross }) => sum + gross, 0n)),
      currency: account.currency,
    },
  });
  queueMail(uow, {
    cause: `cancellation:${cancellationId}`,
    to: { accountId: service.account_id },
    template: 'service.cancelled',
    variables: {
      services: [
        {
          name: service.name,
          product: service.product,
          expire_at: wireTime(service.expire_at),
          renewal: null,
        },
      ],
      effective_at: wireTime(endsAt),
      revocable_until: wireTimeOrNull(plan.revocableUntil),
    },
  });
}

/** Cancelled to the end of its term, or that taken back: the service goes on as it is. */
const serviceScheduled = bulkUpdate<{ id: string; state: ServiceState; due_at: Instant }>(
  'services',
  'scheduled',
  { id: 'uuid', state: 'text', due_at: 'timestamptz' },
  'state = n.state, due_at = n.due_at, version = services.version + 1',
);

/** Ended: off, and kept until it is deleted. */
const serviceCancelled = bulkUpdate<{
  id: string;
  state: ServiceState;
  ended_at: Instant;
  delete_at: Instant | null;
  due_at: Instant | null;
}>(
  'services',
  'cancelled',
  { id: 'uuid', state: 'text', ended_at: 'timestamptz', delete_at: 'timestamptz', due_at: 'timestamptz' },
  `state = n.state, ended_at = n.ended_at, delete_at = n.delete_at, due_at = n.due_at,
   version = services.version + 1`,
);
