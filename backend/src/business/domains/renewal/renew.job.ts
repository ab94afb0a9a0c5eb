import { z } from 'zod';
import { commandJob } from '../../../work/job.ts';
import { finishTask } from '../../core/tasks/task.ts';
import { captureHold } from '../../selling/orders/hold.ts';
import { DELIVERY, registryOf } from '../domain-jobs.ts';
import {
  beginDelivery,
  giveUp,
  type OrderedDomain,
  orderedDomain,
  refusalCode,
  taskOf,
} from '../registration/delivery.ts';
import { extendTerm } from './extended.ts';
import { notifyNotRenewed } from './not-renewed.ts';
import { type Renewed, renewToPaidEnd } from './registry-renewal.ts';

/** Has a registration renewed that was paid for, then takes the money; or gives it back, and says so. */
export default commandJob<z.ZodObject<{ order_id: z.ZodUUID }>, OrderedDomain, Renewed>({
  name: DELIVERY.renew,
  payload: z.object({ order_id: z.uuid() }),
  load: (db, ctx, { order_id }) => beginDelivery(db, order_id, 'registry', ctx.now),
  async command({ registry }, ordered) {
    // Deleted since it was ordered: a restoration is another thing, at another price.
    if (ordered.registry_state !== 'active') return { kind: 'refused', reason: 'state_conflict' };
    return await renewToPaidEnd(registry, ordered);
  },
  backend: registryOf,
  about: ({ id, order_id, task_id }) => ({ order_id, service_id: id, tasks: [task_id] }),
  accounts: (ordered) => [ordered.account_id],
  async finish(tx, { uow, log, catalogs }, before, outcome) {
    const ordered = await orderedDomain(tx, before.order_id);
    if (ordered === null) return;
    const { order_id: orderId, name } = ordered;
    if (outcome.kind === 'refused') {
      log.warn({ domain: name, order: orderId, reason: outcome.reason }, 'a registry refused a renewal');
      await giveUp(tx, uow, ordered, outcome.reason);
      notifyNotRenewed(uow, ordered, refusalCode(outcome.reason));
      return;
    }
    await captureHold(tx, uow, orderId);
    extendTerm(uow, await catalogs.newest(tx), ordered, outcome.result.expireAt);
    finishTask(uow, taskOf(ordered), null);
  },
});
