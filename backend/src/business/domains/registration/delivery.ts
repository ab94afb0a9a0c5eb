import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { AcceptedFee, RegistryRefusal } from '../../../drivers/registry/port.ts';
import type { ErrorCode } from '../../../errors.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { finishTask, type TaskRef } from '../../core/tasks/task.ts';
import { releaseHold } from '../../selling/orders/hold.ts';
import { serviceOutcome } from '../../selling/subscriptions/service.ts';
import { DOMAIN_COLUMNS, type Domain, endDomain } from '../domain.ts';
import type { DomainAction } from '../price.ts';

/** A domain with the order that is being delivered for it. */
export interface OrderedDomain extends Domain {
  readonly order_id: string;
  readonly ordered_at: Instant;
  /** The end of the term that is paid for with it, or was before. */
  readonly period_to: Instant;
  readonly gross: bigint;
  readonly currency: string;
  readonly action: DomainAction;
  readonly years: number;
  readonly believed_expire_at: Instant | null;
  /** A year's price of a premium name that was shown with this order, or before it. */
  readonly premium_price: bigint | null;
  /** Its renewal's price that was shown with this order; null: what was shown before holds. */
  readonly shown_renewal: bigint | null;
  readonly standing: {
    readonly code: string;
    readonly percent: number;
    readonly left: number | null;
  } | null;
  readonly task_id: string;
  readonly task_type: string;
  readonly task_state: string;
}

const load = statement<OrderedDomain>(
  'load_ordered_domain',
  `SELECT ${DOMAIN_COLUMNS}, o.id AS order_id, o.created_at AS ordered_at, o.gross,
     CASE WHEN d.action = 'restore' AND d.years = 0 THEN s.expire_at ELSE o.period_to END AS period_to, o.currency, d.action, d.years,
     d.believed_expire_at,
     coalesce(d.premium_price, CASE WHEN d.action = 'renew' THEN v.premium_renewal END) AS premium_price,
     d.premium_renewal AS shown_renewal,
     CASE WHEN d.discount_code IS NOT NULL THEN jsonb_build_object('code', d.discount_code,
       'percent', d.discount_percent, 'left', d.discount_left) END AS standing,
     t.id AS task_id, t.type AS task_type, t.state AS task_state
   FROM orders o JOIN domain_orders d ON d.order_id = o.id
   JOIN services s ON s.id = o.service_id JOIN domains v ON v.id = s.id
   JOIN tasks t ON t.resource_id = s.id AND t.order_id = o.id AND t.finished_at IS NULL
   WHERE o.id = $1 AND o.state = 'pending'`,
);

const begin = statement<{ id: string }>(
  'begin_domain_delivery',
  "UPDATE tasks SET state = 'running', step = $3, started_at = $2 WHERE id = $1 AND state = 'queued' RETURNING id",
);

/**
 * The order with its domain; null: it was delivered, or came to nothing. Whoever closes an order holds its account's
 * lock: with that, what is read here stays so.
 */
export async function orderedDomain(db: Executor, orderId: string): Promise<OrderedDomain | null> {
  return (await db.run(load, [orderId]))[0] ?? null;
}

/**
 * {@link orderedDomain}, begun: from now on its registry may hear of it, and nobody ends the order before the registry
 * has answered (`endingOf`). null also where somebody has ended it at this moment.
 */
export async function beginDelivery(
  db: Executor,
  orderId: string,
  step: string,
  now: Instant,
): Promise<OrderedDomain | null> {
  const ordered = await orderedDomain(db, orderId);
  if (ordered?.task_state !== 'queued') return ordered;
  const begun = await db.run(begin, [ordered.task_id, now, step]);
  return begun.length > 0 ? ordered : await orderedDomain(db, orderId);
}

export function taskOf(ordered: OrderedDomain): TaskRef {
  const { task_id: id, account_id: accountId, task_type: type } = ordered;
  return { id, accountId, type, resource: { type: 'domain', id: ordered.id } };
}

/** What a registry may charge for a premium name; null: the list price. */
export function acceptedFee(ordered: OrderedDomain, times: number): AcceptedFee {
  const { premium_price: price, currency } = ordered;
  return price === null ? null : { amount: price * BigInt(times), currency };
}

/** Why nothing comes of an order: its registry's reason, or whoever has the domain does not give it, or it has no zone. */
type NotDelivered = RegistryRefusal | 'transfer_rejected' | 'zone_not_published';

const CODES: ReadonlyMap<string, ErrorCode> = new Map<NotDelivered, ErrorCode>([
  ['transfer_rejected', 'transfer_rejected'],
  ['zone_not_published', 'zone_not_published'],
  ['domain_not_available', 'domain_not_available'],
  ['authcode_invalid', 'authcode_invalid'],
  ['transfer_locked', 'transfer_locked'],
  ['contact_invalid', 'contact_incomplete'],
  ['period_not_allowed', 'period_not_allowed'],
  ['not_supported', 'not_supported_for_tld'],
]);

/** What a customer is told of it. */
export function refusalCode(reason: string): ErrorCode {
  return CODES.get(reason) ?? 'backend_error';
}

/** Nothing comes of an order: its money is free again. What was to be made with it is not. */
export async function giveUp(
  tx: Transaction,
  uow: UnitOfWork,
  ordered: OrderedDomain,
  reason: string,
): Promise<void> {
  const { id, order_id: orderId, action } = ordered;
  await releaseHold(tx, uow, orderId, reason);
  if (action === 'register' || action === 'transfer') {
    uow.changes.add(serviceOutcome, { id, state: 'error', ended_at: uow.now });
    endDomain(uow, id, 'failed');
  }
  finishTask(uow, taskOf(ordered), refusalCode(reason));
}
