import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { RegistryRefusal } from '../../../drivers/registry/port.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { finishTask } from '../../core/tasks/task.ts';
import { captureHold } from '../../selling/orders/hold.ts';
import { refundableOrder, refundOrder } from '../../selling/orders/refund.ts';
import { resumeService } from '../../selling/subscriptions/resumed.ts';
import { reviveService } from '../../selling/subscriptions/revived.ts';
import { convergeDomain } from '../domain-jobs.ts';
import { renewalShare } from '../price.ts';
import { type OrderedDomain, refusalCode, taskOf } from '../registration/delivery.ts';
import { extendTerm } from './extended.ts';
import { notifyNotRenewed } from './not-renewed.ts';

/** What came of an order to restore a domain whose registry has restored it. */
export interface Restored {
  /** The registry's own end; null: it has none. */
  readonly expireAt: Instant | null;
  /** Why it did not renew it besides; null: it did, or was not to. */
  readonly notRenewed: RegistryRefusal | null;
}

/** What is paid once is for no time that could be paid back for. */
const NO_TERM = { hours: 1 };
// The years that it was for are free to be ordered again.
const setWithoutTerm = statement<object>(
  'set_order_without_term',
  "UPDATE orders SET action = 'extra', period_from = $2, period_to = $3 WHERE id = $1",
);
const setRestored = statement<object>('restore_domain', "UPDATE domains SET state = 'active' WHERE id = $1");

/**
 * A domain is its customer's again, and what their registry did is paid for: the restoration in any case, further years
 * where there are some. Without those it is on for what is left of its term, or kept for a while to be renewed.
 */
export async function completeRestoration(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  ordered: OrderedDomain,
  { expireAt, notRenewed }: Restored,
): Promise<void> {
  const { id, order_id: orderId, account_id: accountId, years } = ordered;
  const isExtended = years > 0 && notRenewed === null;
  if (notRenewed !== null) await tx.run(setWithoutTerm, [orderId, uow.now, uow.now.add(NO_TERM)]);
  await captureHold(tx, uow, orderId);
  await reviveService(tx, id, uow.now);
  await tx.run(setRestored, [id]);
  if (isExtended) extendTerm(uow, catalog, ordered, expireAt);
  else resumeService(uow, catalog, 'domain', ordered);
  emit(uow, lockedAccount(uow, accountId), {
    type: 'domain.restored',
    resource: { type: 'domain', id },
    body: { order_id: orderId, expire_at: isExtended ? ordered.period_to : ordered.expire_at },
  });
  if (notRenewed !== null) {
    await refundRenewal(tx, uow, ordered);
    notifyNotRenewed(uow, ordered, refusalCode(notRenewed));
  }
  finishTask(uow, taskOf(ordered), notRenewed === null ? null : refusalCode(notRenewed));
  convergeDomain(uow, id);
}

const loadLines = statement<{ lines: readonly { quantity: number; unit_price: string }[] }>(
  'load_order_lines',
  'SELECT lines FROM orders WHERE id = $1',
);

/** Of an order that this transaction captures: pays back what was for years that there are not. */
async function refundRenewal(
  tx: Transaction,
  uow: UnitOfWork,
  { order_id: orderId, account_id: accountId }: OrderedDomain,
): Promise<void> {
  const order = await refundableOrder(tx, accountId, orderId);
  const [stored] = await tx.run(loadLines, [orderId]);
  if (order === null || stored === undefined) throw new Error(`order ${orderId} does not exist`);
  const gross = renewalShare(order.gross, stored.lines);
  if (gross === 0n) return;
  // What is kept of it, the restoration, was delivered.
  const { period_to: periodFrom } = order;
  const basis = 'undelivered';
  const paid = { ...order, state: 'completed' } as const;
  refundOrder(uow, paid, { gross, basis, periodFrom, reason: '', createdBy: null });
}
