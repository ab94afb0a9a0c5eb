import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { captureHold, releaseHold } from '../../selling/orders/hold.ts';
import { refundOrder, runningOrders } from '../../selling/orders/refund.ts';
import type { ServiceState } from '../../selling/subscriptions/service.ts';
import { releaseGrowth, releaseShrinkage } from '../capacity/size.ts';
import { RESIZE, Resizing, serverResized, serviceResized } from '../resize.ts';
import { refundsFor } from '../resize-price.ts';
import type { Server } from '../server.ts';
import { uplinkOf } from '../traffic/uplink.ts';
import { CHANGEABLE } from './change.ts';
import { changeJob } from './change-job.ts';

const removed = statement<{ removed: boolean }>(
  'is_server_removed',
  'SELECT removed_at IS NOT NULL AS removed FROM servers WHERE id = $1',
);

// A code that was for certain items gives nothing off another.
const endDiscount = statement<object>(
  'end_discount_of_other_item',
  `UPDATE services s SET discount_code = NULL, discount_percent = NULL, discount_left = NULL FROM discount_codes d
   WHERE s.id = $1 AND d.code = s.discount_code AND NOT ($2 = ANY (d.items))`,
);

/** Off, but it may be on again: the machine may have its size already, from a run whose outcome nobody heard. */
const LASTING: readonly ServiceState[] = [...CHANGEABLE, 'suspended', 'expired'];

/**
 * Gives a machine another size, then takes the money that was held for it, or gives back what it costs less. A server that
 * ended meanwhile pays nothing for it; one that is gone gave back its former size, so only the growth is left to give.
 */
export default changeJob({
  name: RESIZE,
  wanted: Resizing,
  goesOnIn: LASTING,
  command: (ports, { machine, server, wanted }) => {
    const { cores, memory, disk, uplink } = wanted;
    const limited = uplinkOf({ uplink, throttled_to: server.throttled_to });
    return ports.hypervisor.ensureResized(machine, { cores, memory, disk, uplink: limited });
  },
  async done(tx, { uow }, { server, wanted }) {
    const [row] = await tx.run(removed, [server.id]);
    if (row === undefined || row.removed) {
      await takeBack(tx, uow, server, wanted, 'the server is gone');
      return;
    }
    const { cores, memory, disk, uplink, backup_slots, item, name } = wanted;
    uow.changes.add(serverResized, { id: server.id, cores, memory, disk, uplink, backup_slots });
    await releaseShrinkage(tx, server, wanted);
    if (!LASTING.includes(server.state)) {
      await release(tx, uow, wanted, 'the server ended');
      return;
    }
    uow.changes.add(serviceResized, { id: server.id, item, name });
    await tx.run(endDiscount, [server.id, item]);
    if (wanted.order_id !== null) await captureHold(tx, uow, wanted.order_id);
    if (wanted.refund !== null) await payBack(tx, uow, server, wanted.refund);
  },
  async refused(tx, { uow }, { server, wanted }, reason) {
    await takeBack(tx, uow, server, wanted, reason);
    return undefined;
  },
});

async function takeBack(
  tx: Transaction,
  uow: UnitOfWork,
  server: Server,
  wanted: Resizing,
  reason: string,
): Promise<void> {
  await releaseGrowth(tx, server, wanted);
  await release(tx, uow, wanted, reason);
}

async function release(
  tx: Transaction,
  uow: UnitOfWork,
  { order_id }: Resizing,
  reason: string,
): Promise<void> {
  if (order_id !== null) await releaseHold(tx, uow, order_id, reason);
}

async function payBack(
  tx: Transaction,
  uow: UnitOfWork,
  server: Server,
  refund: NonNullable<Resizing['refund']>,
): Promise<void> {
  const orders = await runningOrders(tx, server.id, Temporal.Instant.from(refund.from));
  for (const { order, gross, periodFrom } of refundsFor(refund, orders)) {
    const reason = 'A smaller size for the rest of the term';
    refundOrder(uow, order, { gross, basis: 'pro_rata', periodFrom, reason, createdBy: null });
  }
}
