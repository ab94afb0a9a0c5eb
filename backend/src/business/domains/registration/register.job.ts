import { z } from 'zod';
import type { RegisteredDomain, WantedRegistration } from '../../../drivers/registry/port.ts';
import { emit, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { commandJob } from '../../../work/job.ts';
import { type SuspectedOrphan, suspectOrphan } from '../../core/backends/discrepancy.ts';
import { finishTask } from '../../core/tasks/task.ts';
import { domainDelegated } from '../../dns/zone/hosting.ts';
import { zoneOfDomain } from '../../dns/zone/zone.ts';
import { captureHold, isGivenUp } from '../../selling/orders/hold.ts';
import { beginFirstTerm } from '../../selling/subscriptions/service.ts';
import { beginVerification } from '../contacts/verification.ts';
import { wantedContacts } from '../convergence/desired-state.ts';
import { observedRow } from '../convergence/observed.ts';
import { domainObserved, refOf } from '../domain.ts';
import { convergeDomain, DELIVERY, registryOf } from '../domain-jobs.ts';
import { newAuthcode } from '../transfer/authcode-issued.ts';
import { lockAfter } from '../transfer/transfer-lock.ts';
import { acceptedFee, beginDelivery, giveUp, type OrderedDomain, orderedDomain, taskOf } from './delivery.ts';

interface Registering {
  readonly ordered: OrderedDomain;
  readonly wanted: WantedRegistration;
}

/** Registers a domain that was ordered, then takes the money; or gives everything back. */
export default commandJob<z.ZodObject<{ order_id: z.ZodUUID }>, Registering, RegisteredDomain>({
  name: DELIVERY.register,
  payload: z.object({ order_id: z.uuid() }),
  async load(db, ctx, { order_id }) {
    const waiting = await orderedDomain(db, order_id);
    if (waiting === null) return null;
    // Some registries look at it (rule F6). Who publishes it enqueues this job again.
    if ((await zoneOfDomain(db, waiting.id))?.visible_version === 0) return null;
    const ordered = await beginDelivery(db, order_id, 'registry', ctx.now);
    if (ordered === null) return null;
    const tld = (await ctx.catalogs.newest(db)).tlds.get(ordered.tld);
    const contacts = await wantedContacts(db, ordered, tld?.policy.contact_roles ?? []);
    if (contacts === null) throw new Error(`domain ${ordered.id} was ordered without an owner`);
    const wanted: WantedRegistration = {
      ...refOf(ordered),
      ...contacts,
      years: ordered.years,
      nameservers: ordered.nameservers ?? [],
      ds: ordered.ds,
      // RFC 5731 §3.2.1 wants one from the start. Nobody learns it: another is made when one is asked for.
      authcode: newAuthcode(),
      fee: acceptedFee(ordered, ordered.years),
      since: ordered.ordered_at,
    };
    return { ordered, wanted };
  },
  command: (ports, { wanted }) => ports.registry.register(wanted),
  backend: ({ ordered }) => registryOf(ordered),
  about: ({ ordered: { id, order_id, task_id } }) => ({ order_id, service_id: id, tasks: [task_id] }),
  accounts: ({ ordered }) => [ordered.account_id],
  async finish(tx, { uow, log, catalogs }, { ordered: before }, outcome) {
    const { id } = before;
    const ordered = await orderedDomain(tx, before.order_id);
    if (ordered === null) {
      if (outcome.kind === 'done' && (await isGivenUp(tx, before.order_id)))
        await suspectOrphan(tx, orphanOf(before), uow.now);
      return;
    }
    if (outcome.kind === 'refused') {
      log.warn({ domain: ordered.name, reason: outcome.reason }, 'a registry refused a registration');
      await giveUp(tx, uow, ordered, outcome.reason);
      return;
    }
    const { result } = outcome;
    const catalog = await catalogs.newest(tx);
    await captureHold(tx, uow, ordered.order_id);
    const { order_id: orderId } = ordered;
    const service = { ...ordered, product: 'domain', orderId } as const;
    await beginFirstTerm(tx, uow, catalog, service, result.expireAt ?? undefined);
    await lockAfter(tx, id, catalog.tlds.get(ordered.tld), result.createdAt ?? uow.now);
    await beginVerification(tx, uow, catalog.tlds.get(ordered.tld), ordered);
    uow.changes.add(domainObserved, observedRow(id, result, uow.now));
    emit(uow, lockedAccount(uow, ordered.account_id), {
      type: 'domain.registered',
      resource: { type: 'domain', id },
      body: { order_id: orderId, domain: ordered.name, expire_at: result.expireAt ?? null },
    });
    finishTask(uow, taskOf(ordered), null);
    await domainDelegated(tx, uow, id);
    // Its lock against transfers, which no registration can be made with.
    convergeDomain(uow, id);
  },
});

/** Registered without an owner, after an operator had given the order up: nothing gives it back by itself. */
function orphanOf({ registry, name, order_id: orderId }: OrderedDomain): SuspectedOrphan {
  return { backend: registry, node: null, kind: 'domain_unknown', subject: name, orderId };
}
