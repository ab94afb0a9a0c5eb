import { z } from 'zod';
import { isBefore } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { bookJob, type JobContext } from '../../../work/job.ts';
import { openOrders } from '../../selling/subscriptions/cancellation/open-orders.ts';
import { endTerms } from '../abandoned.ts';
import { isPaidChangeBegun } from '../changes/change.ts';
import { type Domain, lockDomain } from '../domain.ts';
import { PUSH } from '../domain-jobs.ts';
import { domainTransferredOut } from '../ended.ts';
import { beginDelivery, giveUp, orderedDomain } from '../registration/delivery.ts';
import { completePush } from './pushed.ts';
import {
  closeTransfer,
  type DomainTransfer,
  pendingTransfer,
  waitForAnswer,
  waitForTerms,
} from './transfer.ts';
import { isTransferLocked } from './transfer-lock.ts';
import { notifyTransferRequested } from './transfer-requested.ts';

const loserOf = statement<{ account_id: string }>(
  'account_of_domain',
  'SELECT account_id FROM services WHERE id = $1',
);

/**
 * A transfer between customers of ours, which no registry hears of (rule F2). Whoever has the domain is told and asked;
 * without their approval within five days it comes to nothing.
 */
export default bookJob({
  name: PUSH,
  payload: z.object({ order_id: z.uuid() }),
  async run(pool, ctx, { order_id }) {
    const ordered = await beginDelivery(pool, order_id, 'approval', ctx.now);
    const transfer = ordered === null ? null : await pendingTransfer(pool, ordered.id);
    if (ordered === null || transfer?.from_domain_id == null) return;
    const [loser] = await pool.run(loserOf, [transfer.from_domain_id]);
    if (loser !== undefined) await decide(pool, ctx, order_id, [ordered.account_id, loser.account_id]);
  },
});

async function decide(
  pool: Pool,
  { now, catalogs, log }: JobContext,
  orderId: string,
  accountIds: readonly string[],
): Promise<void> {
  await inUnitOfWork(pool, now, accountIds, async (tx, uow) => {
    const ordered = await orderedDomain(tx, orderId);
    const transfer = ordered === null ? null : await pendingTransfer(tx, ordered.id);
    if (ordered === null || transfer?.from_domain_id == null) return;
    const from = await lockDomain(tx, transfer.from_domain_id);
    if (from === null || !isStillThere(from) || isRefused(transfer, from, now)) {
      closeTransfer(uow, transfer.id, transfer.answer === 'reject' ? 'rejected' : 'cancelled');
      await giveUp(tx, uow, ordered, 'transfer_rejected');
      return;
    }
    if (transfer.answer === null) {
      if (transfer.due_at !== null && isBefore(now, transfer.due_at)) return;
      waitForAnswer(uow, transfer);
      notifyTransferRequested(uow, from, { id: transfer.id, actAt: transfer.act_at, silence: 'rejects' });
      return;
    }
    // What its registry may be doing at this moment belongs to the domain, and to whoever pays for it.
    const isTermBegun = (await openOrders(tx, from.id)).some(({ begun }) => begun);
    if (isTermBegun || (await isPaidChangeBegun(tx, from.id))) {
      waitForTerms(uow, transfer);
      return;
    }
    await endTerms(tx, uow, from.id);
    closeTransfer(uow, transfer.id, 'approved');
    domainTransferredOut(uow, from, transfer.id);
    await completePush(tx, uow, await catalogs.newest(tx), ordered, from);
    log.info({ domain: from.name, order: orderId }, 'a domain went to another customer');
  });
}

function isStillThere({ registry_state, state }: Domain): boolean {
  return registry_state === 'active' && (state === 'active' || state === 'cancel_scheduled');
}

function isRefused(transfer: DomainTransfer, from: Domain, now: DomainTransfer['act_at']): boolean {
  if (transfer.answer === 'reject' || isTransferLocked(from, now)) return true;
  return transfer.answer === null && !isBefore(now, transfer.act_at);
}
