import { z } from 'zod';
import { isBefore } from '../../../base/time.ts';
import type { CommandPorts } from '../../../drivers/ports.ts';
import type { DomainRef, RegisteredDomain, RegistryTransfer } from '../../../drivers/registry/port.ts';
import { commandJob } from '../../../work/job.ts';
import { refOf } from '../domain.ts';
import { convergeDomain, DELIVERY, registryOf } from '../domain-jobs.ts';
import {
  acceptedFee,
  beginDelivery,
  giveUp,
  type OrderedDomain,
  orderedDomain,
} from '../registration/delivery.ts';
import { DOMAIN_AUTHCODE } from './authcode.ts';
import { addTransfer, closeTransfer, type DomainTransfer, lookAgain, pendingTransfer } from './transfer.ts';
import { completeTransfer } from './transferred.ts';
import { transferWithdrawn } from './withdrawn.ts';

interface Transferring {
  readonly ordered: OrderedDomain;
  readonly authcode: string;
  /** null: it is yet to be asked for. */
  readonly asked: DomainTransfer | null;
}

interface Followed {
  /** null: its registry tells of none any more. */
  readonly transfer: RegistryTransfer | null;
  /** Of one that is over: whose the domain is says what became of it, whatever is told of the transfer. */
  readonly registered: RegisteredDomain | null;
}

/**
 * Asks for a domain of another registrar, once, and follows what becomes of that: then it takes the money, or gives
 * it back. Between its runs the transfer waits for others; its registry's messages and the clock bring it here again.
 */
export default commandJob<z.ZodObject<{ order_id: z.ZodUUID }>, Transferring, Followed>({
  name: DELIVERY.transfer,
  payload: z.object({ order_id: z.uuid() }),
  async load(db, ctx, { order_id }) {
    const ordered = await beginDelivery(db, order_id, 'transfer', ctx.now);
    if (ordered === null || ordered.authcode_sealed === null) return null;
    const asked = await pendingTransfer(db, ordered.id);
    if (asked?.due_at != null && isBefore(ctx.now, asked.due_at)) return null;
    return { ordered, asked, authcode: ctx.sealer.openText(DOMAIN_AUTHCODE, ordered.authcode_sealed) };
  },
  async command({ registry }, { ordered, authcode, asked }) {
    const ref = refOf(ordered);
    if (asked === null) {
      const requested = await registry.requestTransfer({
        ...ref,
        authcode,
        years: ordered.years === 0 ? null : ordered.years,
        fee: acceptedFee(ordered, 1),
        since: ordered.ordered_at,
      });
      if (requested.kind !== 'done') return requested;
      return { kind: 'done', result: await followed(registry, ref, requested.result) };
    }
    // Asked for once, it is not asked for again: it may have been taken back meanwhile.
    return { kind: 'done', result: await followed(registry, ref, await registry.transfer(ref)) };
  },
  backend: ({ ordered }) => registryOf(ordered),
  about: ({ ordered: { id, order_id, task_id } }) => ({ order_id, service_id: id, tasks: [task_id] }),
  accounts: ({ ordered }) => [ordered.account_id],
  async finish(tx, { uow, log, catalogs }, { ordered: before }, outcome) {
    const ordered = await orderedDomain(tx, before.order_id);
    if (ordered === null) return;
    const asked = await pendingTransfer(tx, ordered.id);
    if (outcome.kind === 'refused') {
      log.warn({ domain: ordered.name, reason: outcome.reason }, 'a registry refused a transfer');
      if (asked !== null) closeTransfer(uow, asked.id, 'cancelled');
      await giveUp(tx, uow, ordered, outcome.reason);
      return;
    }
    const { transfer, registered } = outcome.result;
    if (transfer?.status === 'pending') {
      // Cancelled, and still not taken back.
      if (ordered.state === 'cancelled') convergeDomain(uow, ordered.id);
      if (asked !== null) lookAgain(uow, asked.id, transfer);
      else
        addTransfer(uow, {
          domainId: ordered.id,
          direction: 'in',
          fromDomainId: null,
          orderId: ordered.order_id,
          requestedAt: transfer.requestedAt,
          actAt: transfer.actAt,
        });
      return;
    }
    if (ordered.state === 'cancelled') {
      await transferWithdrawn(tx, uow, await catalogs.newest(tx), ordered, registered);
      return;
    }
    const isRejected = transfer?.status === 'rejected';
    const isOurs = registered?.sponsoredHere === true;
    if (asked !== null)
      closeTransfer(uow, asked.id, isOurs ? 'approved' : isRejected ? 'rejected' : 'cancelled');
    if (isOurs) {
      await completeTransfer(tx, uow, await catalogs.newest(tx), ordered, registered);
      return;
    }
    await giveUp(tx, uow, ordered, isRejected ? 'transfer_rejected' : 'state_conflict');
  },
});

async function followed(
  registry: CommandPorts['registry'],
  ref: DomainRef,
  transfer: RegistryTransfer | null,
): Promise<Followed> {
  return { transfer, registered: transfer?.status === 'pending' ? null : await registry.info(ref) };
}
