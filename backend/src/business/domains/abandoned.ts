import type { Transaction } from '../../db/transaction.ts';
import type { Frame } from '../../unit-of-work/unit-of-work.ts';
import { orderJob } from '../selling/orders/order-job.ts';
import { endOrder, openOrders } from '../selling/subscriptions/cancellation/open-orders.ts';
import type { Domain } from './domain.ts';
import { PUSH } from './domain-jobs.ts';
import { closeTransfer, pendingTransfer } from './transfer/transfer.ts';

/** Years that nobody can be given any more: whatever a registry still says of them, there is no domain to add them to. */
export async function endTerms(tx: Transaction, frame: Frame, domainId: string): Promise<void> {
  for (const order of await openOrders(tx, domainId))
    await endOrder(tx, frame, order, { reason: 'the domain is over', error: 'state_conflict' });
}

/**
 * A locked domain of ours is gone, or somebody else's, as its registry says: what was ordered for it comes to nothing,
 * and so does whatever was to become of it.
 */
export async function endUnderWay(
  tx: Transaction,
  frame: Frame,
  { id }: Domain,
  isGone: boolean,
): Promise<void> {
  await endTerms(tx, frame, id);
  const transfer = await pendingTransfer(tx, id);
  if (transfer?.direction === 'out') closeTransfer(frame, transfer.id, isGone ? 'cancelled' : 'approved');
  // Of the customer who wants it, the account is not locked here: its own job gives his order up.
  if (transfer?.direction === 'push' && transfer.order_id !== null)
    frame.jobs.push(orderJob(PUSH, transfer.order_id));
}
