import type { Transaction } from '../../../db/transaction.ts';
import type { RegisteredDomain } from '../../../drivers/registry/port.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { cancelTask } from '../../core/tasks/task.ts';
import { releaseHold } from '../../selling/orders/hold.ts';
import type { Domain } from '../domain.ts';
import { domainGone } from '../ended.ts';
import { orderedDomain, taskOf } from '../registration/delivery.ts';
import { closeTransfer, pendingTransfer } from './transfer.ts';
import { completeTransfer } from './transferred.ts';

/**
 * The registry was told that a transfer of a cancelled domain is not wanted any more. Only then is its money free again:
 * one that was through before is its customer's, and paid for, for nobody else can give the name back to them.
 */
export async function transferWithdrawn(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  domain: Domain,
  told: RegisteredDomain | null,
): Promise<void> {
  const transfer = await pendingTransfer(tx, domain.id);
  const ordered = transfer?.order_id == null ? null : await orderedDomain(tx, transfer.order_id);
  if (transfer === null || ordered === null) return;
  if (told?.sponsoredHere) {
    closeTransfer(uow, transfer.id, 'approved');
    await completeTransfer(tx, uow, catalog, ordered, told);
    return;
  }
  closeTransfer(uow, transfer.id, 'cancelled');
  await releaseHold(tx, uow, ordered.order_id, 'cancelled before it was there');
  cancelTask(uow, taskOf(ordered));
  domainGone(uow, domain);
}
