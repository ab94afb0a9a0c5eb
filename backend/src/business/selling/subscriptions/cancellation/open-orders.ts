import { statement } from '../../../../db/statement.ts';
import type { Transaction } from '../../../../db/transaction.ts';
import type { ErrorCode } from '../../../../errors.ts';
import type { UnitOfWork } from '../../../../unit-of-work/unit-of-work.ts';
import type { Product } from '../../../core/catalog/schema/product.ts';
import { cancelTask, finishTask } from '../../../core/tasks/task.ts';
import { releaseHold } from '../../orders/hold.ts';
import { isDecidedByBackend, productOf } from '../product.ts';

/** A term of a service that was ordered and is not there yet: its money is on hold. */
export interface OpenOrder {
  readonly order_id: string;
  readonly account_id: string;
  readonly product: Product;
  readonly service_id: string;
  readonly task_id: string;
  readonly task_type: string;
  /** Whether a job has begun with it: what it was about to command may be done already. */
  readonly begun: boolean;
  /** Of a domain that comes to its customer: its transfer, which its losing side, or its registry, knows of. */
  readonly transfer_id: string | null;
  readonly transfer_direction: 'in' | 'push' | null;
}

// Locked, tasks are not begun before this transaction ends: what has not begun is none of any back end's business.
// What is changed of a domain for money is not for a term, and goes on or comes to nothing by itself.
const load = statement<OpenOrder>(
  'open_orders_of_service',
  `SELECT o.id AS order_id, o.account_id, o.product, o.service_id, t.id AS task_id, t.type AS task_type,
     t.state <> 'queued' AS begun, x.id AS transfer_id, x.direction AS transfer_direction
   FROM orders o JOIN tasks t ON t.order_id = o.id AND t.finished_at IS NULL
   LEFT JOIN domain_transfers x ON x.order_id = o.id AND x.state = 'pending'
   WHERE o.service_id = $1 AND o.state = 'pending'
     AND NOT EXISTS (SELECT FROM domain_changes c WHERE c.order_id = o.id)
   ORDER BY o.id FOR NO KEY UPDATE OF t`,
);

/** The open orders of a service for terms of it. Its account must be locked. */
export async function openOrders(tx: Transaction, serviceId: string): Promise<readonly OpenOrder[]> {
  return await tx.run(load, [serviceId]);
}

/**
 * How an order is ended before it is delivered. The one rule for whoever ends, moves or cancels a service, so that money
 * is given back exactly where nothing was made for it:
 * - `now`: no back end has heard of it, or what it makes is removed with its service;
 * - `by_back_end`: it can be taken back there, whose word says whether it was in time;
 * - `not_now`: a back end may be doing it at this moment, and nobody can tell before it has answered.
 */
export type Ending = 'now' | 'by_back_end' | 'not_now';

export function endingOf(order: OpenOrder): Ending {
  if (!isDecidedByBackend(order.product) || !order.begun || order.transfer_direction === 'push') return 'now';
  return order.transfer_direction === 'in' ? 'by_back_end' : 'not_now';
}

/** Ends an order whose {@link Ending} is `now`: its money is free again. `error`: why; null: nobody wants it any more. */
export async function endOrder(
  tx: Transaction,
  uow: UnitOfWork,
  order: OpenOrder,
  { reason, error }: { readonly reason: string; readonly error: ErrorCode | null },
): Promise<void> {
  const {
    order_id: orderId,
    account_id: accountId,
    product,
    service_id: id,
    transfer_id: transferId,
  } = order;
  await releaseHold(tx, uow, orderId, reason);
  if (transferId !== null) productOf(product).decidedByBackend?.cancelTransfer(uow, transferId);
  const task = { id: order.task_id, accountId, type: order.task_type, resource: { type: product, id } };
  if (error === null) cancelTask(uow, task);
  else finishTask(uow, task, error);
}
