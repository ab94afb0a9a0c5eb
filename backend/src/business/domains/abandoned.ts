import type { Transaction } from '../../db/transaction.ts';
import type { UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import { orderJob } from '../selling/orders/order-job.ts';
import { endOrder, openOrders } from '../selling/subscriptions/cancellation/open-orders.ts';
import type { Domain } from './domain.ts';
import { PUSH } from './domain-jobs.ts';
import { closeTransfer, pendingTransfer } from './transfer/transfer.ts';

/** Years that nobody can be given any more: whatever a registry still says of them, there is no domain to add them to. */
export async function endTerms(tx: Transaction, uow: UnitOfWork, domainId: string): Promise<void> {
  for (const order of await openOrders(tx, domainId))
    await endOrder(tx, uow, order, { reason: 'the domain is over', error: 'state_conflict' });
}

/**
 * A locked domain of ours is gone, or somebody else's, as its registry says: what was ordered for it comes to nothing,
 * and so does whatever was to become of it.
 */
export async function endUnderWay(
  tx: Transaction,
  uow: UnitOfWork,
  { id }: Domain,
  isGone: boolean,
): Promise<void> {
  await endTerms(tx, uow, id);
  const transfer = await pendingTransfer(tx, id);
  if (transfer?.direction === 'out') closeTransfer(uow, transfer.id, isGone ? 'cancelled' : 'approved');
  // Of the customer who wants it, the account is not locked here: its own job gives their order up.
  if (transfer?.direction === 'push' && transfer.order_id !== null)
    uow.jobs.push(orderJob(PUSH, transfer.order_id));
}
