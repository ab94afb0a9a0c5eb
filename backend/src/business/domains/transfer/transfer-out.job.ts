import { z } from 'zod';
import type { RegistryTransfer } from '../../../drivers/registry/port.ts';
import { commandJob } from '../../../work/job.ts';
import { endTerms } from '../abandoned.ts';
import { type Domain, lockDomain, readDomain, refOf } from '../domain.ts';
import { registryOf, TRANSFER_OUT } from '../domain-jobs.ts';
import { domainTransferredOut } from '../ended.ts';
import { addTransfer, closeTransfer, type DomainTransfer, lookAgain, pendingTransfer } from './transfer.ts';
import { notifyTransferRequested } from './transfer-requested.ts';

interface Asked {
  readonly domain: Domain;
  readonly transfer: DomainTransfer | null;
}

interface Told {
  readonly transfer: RegistryTransfer | null;
  readonly isOurs: boolean;
}

/**
 * Follows somebody's request for a domain of ours: its customer is told at once, what they say is passed on, and when
 * the domain has gone its service ends. A registry whose policy says so approves if nobody says anything.
 */
export default commandJob<z.ZodObject<{ domain_id: z.ZodUUID }>, Asked, Told>({
  name: TRANSFER_OUT,
  payload: z.object({ domain_id: z.uuid() }),
  async load(db, _ctx, { domain_id }) {
    const domain = await readDomain(db, domain_id);
    if (domain?.registry_state !== 'active') return null;
    const transfer = await pendingTransfer(db, domain_id);
    return transfer === null || transfer.direction === 'out' ? { domain, transfer } : null;
  },
  async command({ registry }, { domain, transfer: known }) {
    const ref = refOf(domain);
    if (known?.answer != null) {
      const answered = await registry.answerTransfer(ref, known.answer);
      if (answered.kind !== 'done') return answered;
    }
    const transfer = await registry.transfer(ref);
    const found = await registry.info(ref);
    return { kind: 'done', result: { transfer, isOurs: found?.sponsoredHere === true } };
  },
  backend: ({ domain }) => registryOf(domain),
  about: ({ domain }) => ({ service_id: domain.id }),
  accounts: ({ domain }) => [domain.account_id],
  async finish(tx, { uow, log }, before, outcome) {
    const domain = await lockDomain(tx, before.domain.id);
    if (domain?.registry_state !== 'active') return;
    if (outcome.kind === 'refused') {
      log.warn({ domain: domain.name, reason: outcome.reason }, 'a registry refused an answer to a transfer');
      return;
    }
    const known = await pendingTransfer(tx, domain.id);
    const { transfer, isOurs } = outcome.result;
    const asked = transfer === null || transfer.requestedHere ? null : transfer;
    if (!isOurs) {
      if (known !== null) closeTransfer(uow, known.id, 'approved');
      await endTerms(tx, uow, domain.id);
      domainTransferredOut(uow, domain, known?.id ?? null);
      return;
    }
    if (asked?.status === 'pending') {
      if (known !== null) {
        lookAgain(uow, known.id, asked);
        return;
      }
      const { requestedAt, actAt } = asked;
      const draft = { direction: 'out', fromDomainId: null, orderId: null, requestedAt, actAt } as const;
      const id = addTransfer(uow, { domainId: domain.id, ...draft });
      notifyTransferRequested(uow, domain, { id, actAt, silence: 'approves' });
      return;
    }
    if (known !== null) closeTransfer(uow, known.id, asked?.status === 'rejected' ? 'rejected' : 'cancelled');
  },
});
