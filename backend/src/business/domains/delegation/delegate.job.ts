import { z } from 'zod';
import type { RegisteredDomain, WantedDomain } from '../../../drivers/registry/port.ts';
import { commandJob } from '../../../work/job.ts';
import { nextStep, registryTold } from '../../dns/dnssec/dnssec.ts';
import { factsOf } from '../../dns/dnssec/dnssec-facts.ts';
import { takeStep, wishSigned } from '../../dns/dnssec/dnssec-step.ts';
import { DELEGATE } from '../../dns/publish/zone-jobs.ts';
import { dsLeft, LONGEST_TTLS } from '../../dns/ttl-hold-off.ts';
import { lockZone, readZone, type Zone } from '../../dns/zone/zone.ts';
import { readDomain, refOf } from '../domain.ts';

interface Delegation {
  readonly zone: Zone;
  /** null: its registry has nothing of ours. */
  readonly wanted: (WantedDomain & { readonly ds: Zone['ds'] }) | null;
  /** How long resolvers remember a DS of its parent. */
  readonly remembered: { readonly hours: number };
}

/** Tells the registry of a zone's DS once all name servers serve it signed, or that there is none any more (rule F7). */
export default commandJob<z.ZodObject<{ zone_id: z.ZodUUID }>, Delegation, RegisteredDomain | null>({
  name: DELEGATE,
  payload: z.object({ zone_id: z.uuid() }),
  async load(db, { catalogs }, { zone_id }) {
    const zone = await readZone(db, zone_id);
    const told = zone === null ? null : registryTold(zone.dnssec);
    if (zone === null || told === null || zone.domain_id === null) return null;
    const domain = await readDomain(db, zone.domain_id);
    // One that is still being registered is registered with it.
    if (domain === null || domain.registry_state === 'pending') return null;
    const isOurs = domain.registry_state === 'active' && domain.dns_hosted;
    const tld = (await catalogs.newest(db)).tlds.get(domain.tld);
    return {
      zone,
      wanted: isOurs ? { ...refOf(domain), ds: told === 'ds' ? zone.ds : [] } : null,
      remembered: { hours: (tld?.policy ?? LONGEST_TTLS).ds_ttl_hours },
    };
  },
  async command({ registry }, { wanted }) {
    return wanted === null ? { kind: 'done', result: null } : await registry.update(wanted);
  },
  accounts: ({ zone }) => (zone.account_id === null ? [] : [zone.account_id]),
  async finish(tx, { uow, log }, { zone: before, remembered }, outcome) {
    const zone = await lockZone(tx, before.id);
    if (zone === null || zone.dnssec !== before.dnssec || zone.removed_at !== null) return;
    if (outcome.kind === 'refused') {
      log.warn({ zone: zone.name, reason: outcome.reason }, 'a registry did not take a DS');
      const after = zone.dnssec === 'delegating' ? await wishSigned(tx, zone, false) : zone;
      await takeStep(tx, uow, after, nextStep(factsOf(after, uow.now, { registry: 'refused' })));
      return;
    }
    if (zone.domain_id !== null && registryTold(zone.dnssec) === 'none')
      await dsLeft(tx, zone.domain_id, remembered.hours, uow.now);
    await takeStep(tx, uow, zone, nextStep(factsOf(zone, uow.now, { registry: { remembered } })));
  },
});
