import { z } from 'zod';
import { commandJob } from '../../../work/job.ts';
import { refOf } from '../domain.ts';
import { DELIVERY, enqueueFor, LOOK, registryOf } from '../domain-jobs.ts';
import {
  acceptedFee,
  beginDelivery,
  giveUp,
  type OrderedDomain,
  orderedDomain,
} from '../registration/delivery.ts';
import { renewToPaidEnd } from './registry-renewal.ts';
import { completeRestoration, type Restored } from './restored.ts';

/**
 * Takes a deleted domain out of its redemption and renews it to the end that is paid for, then takes the money for what
 * was done: a registry that restores it and refuses to renew it is paid for the restoration. Or gives all of it back.
 */
export default commandJob<z.ZodObject<{ order_id: z.ZodUUID }>, OrderedDomain, Restored>({
  name: DELIVERY.restore,
  payload: z.object({ order_id: z.uuid() }),
  load: (db, ctx, { order_id }) => beginDelivery(db, order_id, 'registry', ctx.now),
  async command({ registry }, ordered) {
    const restored = await registry.restore({ ...refOf(ordered), fee: acceptedFee(ordered, 1) });
    if (restored.kind !== 'done') return restored;
    const renewed = await renewToPaidEnd(registry, { ...ordered, premium_price: ordered.shown_renewal });
    if (renewed.kind === 'done') return { kind: 'done', result: { ...renewed.result, notRenewed: null } };
    if (renewed.kind === 'pending') return renewed;
    const { expireAt } = restored.result;
    return { kind: 'done', result: { expireAt, notRenewed: renewed.reason } };
  },
  backend: registryOf,
  about: ({ id, order_id, task_id }) => ({ order_id, service_id: id, tasks: [task_id] }),
  accounts: (ordered) => [ordered.account_id],
  async finish(tx, { uow, log, catalogs }, before, outcome) {
    const ordered = await orderedDomain(tx, before.order_id);
    if (ordered === null) return;
    const { id, order_id: orderId, name } = ordered;
    if (outcome.kind === 'refused') {
      log.warn({ domain: name, order: orderId, reason: outcome.reason }, 'a registry refused a restoration');
      await giveUp(tx, uow, ordered, outcome.reason);
      enqueueFor(uow, LOOK, id);
      return;
    }
    const { notRenewed: reason } = outcome.result;
    if (reason !== null) log.warn({ domain: name, order: orderId, reason }, 'restored and not renewed');
    await completeRestoration(tx, uow, await catalogs.newest(tx), ordered, outcome.result);
  },
});
