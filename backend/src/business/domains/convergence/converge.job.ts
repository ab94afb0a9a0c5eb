import { z } from 'zod';
import { isBefore } from '../../../base/time.ts';
import type { CommandPorts } from '../../../drivers/ports.ts';
import type { RegisteredDomain, RegistryOutcome, WantedDomain } from '../../../drivers/registry/port.ts';
import { commandJob } from '../../../work/job.ts';
import { changesOf, type DomainChange } from '../changes/change.ts';
import { abandon, goOnWith } from '../changes/change-progress.ts';
import { type Domain, lockDomain, readDomain, refOf, sponsoredDomains } from '../domain.ts';
import { CONVERGE, convergeDomain, registryOf } from '../domain-jobs.ts';
import { refusalCode } from '../registration/delivery.ts';
import { isBeingRenewed } from '../renewal/renewable.ts';
import { isOver } from '../state.ts';
import { transferWithdrawn } from '../transfer/withdrawn.ts';
import { applyObserved } from './applied.ts';
import {
  type WantedOfRegistration,
  wantedContacts,
  wantedOfRegistration,
  wantedStatuses,
} from './desired-state.ts';

interface Enforcement {
  readonly domain: Domain;
  readonly wanted: WantedOfRegistration;
  /** Of one that is on or held. */
  readonly change: WantedDomain;
  /** Whether its registry waits for being told that it is over; others let it expire. */
  readonly explicitDelete: boolean;
  /** What customers asked for that is in the books already. */
  readonly changes: readonly DomainChange[];
}

/**
 * Makes a registration be as the books say: its contacts, name servers, signers and statuses, held while its service
 * is off, given back once that is to go. What the books say may change meanwhile: then it runs again.
 */
export default commandJob<z.ZodObject<{ domain_id: z.ZodUUID }>, Enforcement, RegisteredDomain | null>({
  name: CONVERGE,
  payload: z.object({ domain_id: z.uuid() }),
  async load(db, ctx, { domain_id }): Promise<Enforcement | null> {
    // Before the domain is read: so what they changed is in it.
    const changes = (await changesOf(db, domain_id)).filter(({ state }) => state === 'registry');
    const domain = await readDomain(db, domain_id);
    const wanted = domain === null ? null : wantedOfRegistration(domain, ctx.now);
    if (domain === null || wanted === null) return null;
    // Whoever pays for it at the last moment keeps it; if nothing comes of that, the sweep of services has it deleted.
    if (wanted === 'absent' && (await isBeingRenewed(db, domain_id))) return null;
    const tld = (await ctx.catalogs.newest(db)).tlds.get(domain.tld);
    const contacts = await wantedContacts(db, domain, tld?.policy.contact_roles ?? []);
    return {
      domain,
      wanted,
      changes,
      // Before its term is over, none lets it expire.
      explicitDelete: tld?.policy.explicit_delete !== false || isBefore(ctx.now, domain.expire_at),
      change: {
        ...refOf(domain),
        ...(contacts === null ? {} : { contacts }),
        ...(domain.nameservers === null ? {} : { nameservers: domain.nameservers }),
        ...(domain.nameservers === null ? {} : { ds: domain.ds }),
        statuses: wantedStatuses(domain, wanted === 'held' ? 'held' : 'on', ctx.now),
      },
    };
  },
  command: ({ registry }, enforcement) => converge(registry, enforcement),
  backend: ({ domain }) => registryOf(domain),
  about: ({ domain, changes }) => ({ service_id: domain.id, tasks: changes.map(({ id }) => id) }),
  accounts: ({ domain }) => [domain.account_id],
  async finish(tx, { uow, log, catalogs }, { domain: before, wanted, changes }, outcome) {
    const domain = await lockDomain(tx, before.id);
    if (domain === null) return;
    if (isOver(domain.registry_state)) {
      // What was commanded for whoever had it may have come last.
      const successor = (await sponsoredDomains(tx, [domain.name])).get(domain.name);
      if (successor !== undefined) convergeDomain(uow, successor.id);
      return;
    }
    if (domain.version !== before.version || wantedOfRegistration(domain, uow.now) !== wanted) {
      convergeDomain(uow, domain.id);
      if (wanted !== 'absent') return;
    }
    const ids = changes.map(({ id }) => id);
    const open = (await changesOf(tx, domain.id)).filter(
      ({ id, state }) => ids.includes(id) && state === 'registry',
    );
    if (outcome.kind === 'refused') {
      log.warn(
        { domain: domain.name, wanted, reason: outcome.reason },
        'a registry refused to follow the books',
      );
      for (const change of open) await abandon(tx, uow, domain, change, refusalCode(outcome.reason));
      return;
    }
    const catalog = await catalogs.newest(tx);
    if (wanted === 'withdrawn') {
      await transferWithdrawn(tx, uow, catalog, domain, outcome.result);
      return;
    }
    if (outcome.result?.sponsoredHere) await goOnWith(tx, uow, catalog, domain, open);
    await applyObserved(tx, uow, catalog, domain, outcome.result);
  },
});

async function converge(
  registry: CommandPorts['registry'],
  { domain, wanted, change, explicitDelete }: Enforcement,
): Promise<RegistryOutcome<RegisteredDomain | null>> {
  if (wanted === 'on' || wanted === 'held') return await registry.update(change);
  const ref = refOf(domain);
  if (wanted === 'withdrawn') {
    const outcome = await registry.cancelTransfer(ref);
    return outcome.kind === 'done' ? { kind: 'done', result: await registry.info(ref) } : outcome;
  }
  const found = await registry.info(ref);
  const kept = found?.statuses.some((status) => status === 'redemptionPeriod' || status === 'pendingDelete');
  if (found === null || kept || !found.sponsoredHere || !explicitDelete)
    return { kind: 'done', result: found };
  return await registry.delete(ref);
}
