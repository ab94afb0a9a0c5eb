import { z } from 'zod';
import type { RegisteredDomain } from '../../../drivers/registry/port.ts';
import { commandJob } from '../../../work/job.ts';
import { type Domain, lockDomain, readDomain, refOf } from '../domain.ts';
import { convergeDomain, LOOK, registryOf } from '../domain-jobs.ts';
import type { RegistryState } from '../state.ts';
import { applyObserved } from './applied.ts';

/** In which its registry can have done something to it that we did not ask for. */
const LOOKED_AT: readonly RegistryState[] = ['active', 'redemption', 'pending_delete'];

/** Asks the registry of a domain of ours what became of it: its answer is the truth, whatever was told before. */
export default commandJob<z.ZodObject<{ domain_id: z.ZodUUID }>, Domain, RegisteredDomain | null>({
  name: LOOK,
  payload: z.object({ domain_id: z.uuid() }),
  async load(db, _ctx, { domain_id }) {
    const domain = await readDomain(db, domain_id);
    return domain !== null && LOOKED_AT.includes(domain.registry_state) ? domain : null;
  },
  command: async ({ registry }, domain) => ({ kind: 'done', result: await registry.info(refOf(domain)) }),
  backend: registryOf,
  about: ({ id }) => ({ service_id: id }),
  accounts: (domain) => [domain.account_id],
  async finish(tx, { uow, catalogs }, before, outcome) {
    const domain = await lockDomain(tx, before.id);
    if (outcome.kind === 'refused' || domain === null || !LOOKED_AT.includes(domain.registry_state)) return;
    const wasKept = domain.registry_state !== 'active';
    await applyObserved(tx, uow, await catalogs.newest(tx), domain, outcome.result);
    // Restored by its registry: it is to be as the books say again.
    if (wasKept && outcome.result?.sponsoredHere) convergeDomain(uow, domain.id);
  },
});
