import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { zoneOfDomain } from '../../dns/zone/zone.ts';
import { openOrders } from '../../selling/subscriptions/cancellation/open-orders.ts';
import { giveUp, orderedDomain } from './delivery.ts';

/**
 * Gives a registration up that waits for a zone which no name server has (rule F6): its money and its name are free
 * again. Whether there was one; what has begun at its registry is not given up. Its account must be locked.
 */
export async function abandonUnpublished(
  tx: Transaction,
  uow: UnitOfWork,
  domainId: string,
): Promise<boolean> {
  const [open] = await openOrders(tx, domainId);
  if (open === undefined || open.begun || (await zoneOfDomain(tx, domainId))?.visible_version !== 0)
    return false;
  const ordered = await orderedDomain(tx, open.order_id);
  if (ordered?.action !== 'register') return false;
  await giveUp(tx, uow, ordered, 'zone_not_published');
  return true;
}
