import { z } from 'zod';
import { statement } from '../../../db/statement.ts';
import type { ServedZone } from '../../../drivers/dns/port.ts';
import type { CommandOutcome } from '../../../drivers/outcome.ts';
import type { CommandPorts } from '../../../drivers/ports.ts';
import { commandJob } from '../../../work/job.ts';
import { clearTrouble } from '../../core/backends/failing-backend.ts';
import { isToBeSigned } from '../dnssec/dnssec.ts';
import { lockZone, type Zone } from '../zone/zone.ts';
import { knownAliases } from './alias.ts';
import { giveLeaseBack, leaseZone, PREPARED_WITHIN_MS, publishAfterLease } from './lease.ts';
import { publishWhole, zoneGone, zonePublished, zoneRefused } from './published.ts';
import { type Commanded, type Publishing, wantedSets } from './publishing.ts';
import { type Unpublished, unpublishedOf } from './unpublished.ts';
import { PRIMARY, PUBLISH } from './zone-jobs.ts';

const watching = statement<{ id: string }>(
  'tasks_watching_zone',
  `SELECT t.id FROM zone_revisions r JOIN tasks t ON t.id = r.task_id
   WHERE r.zone_id = $1 AND r.version > $2 AND t.finished_at IS NULL
   UNION ALL SELECT n.task_id FROM address_name_tasks n WHERE n.zone_id = $1 AND n.version > $2`,
);

/** Within which name servers are asked at once; who is slower is asked again later. */
const SEEN_WITHIN_MS = 1_000;

/**
 * Brings the name servers to what the books say of a zone: what changed, or all of it, or its end. It works on a zone
 * alone, and runs again when more came meanwhile.
 */
export default commandJob<z.ZodObject<{ zone_id: z.ZodUUID }>, Publishing, Commanded>({
  name: PUBLISH,
  payload: z.object({ zone_id: z.uuid() }),
  async load(db, ctx, { zone_id }) {
    const leased = await leaseZone(db, zone_id, ctx.now);
    if (leased === null) {
      // Another run's turn is no failure of this one.
      await publishAfterLease(db, zone_id, ctx.now);
      return null;
    }
    const { zone, lease } = leased;
    const unpublished = zone.removed_at === null ? await unpublishedOf(db, zone) : null;
    if (!isBehind(zone, unpublished)) {
      await giveLeaseBack(db, zone_id, lease);
      return null;
    }
    const tasks = (await db.run(watching, [zone_id, zone.published_version])).map(({ id }) => id);
    return { ...leased, unpublished, known: await knownAliases(db, zone_id), tasks };
  },
  async command(ports, run) {
    if (run.unpublished === null) {
      const outcome = await ports.dns.ensureAbsent(run.zone.name);
      if (outcome.kind !== 'done') return outcome;
      return { kind: 'done', result: { served: null, resolved: [], publication: null } };
    }
    const begun = performance.now();
    const { rrsets, resolved } = await wantedSets(ports.resolver, run, run.unpublished);
    if (performance.now() - begun > PREPARED_WITHIN_MS)
      return { kind: 'pending', step: 'looking up addresses', progress: 0 };
    const outcome = await bring(ports, run.zone, run.unpublished.whole, rrsets);
    if (outcome.kind !== 'done') return outcome;
    const publication = await ports.dns.publication(run.zone.name, SEEN_WITHIN_MS).catch(() => null);
    return { kind: 'done', result: { served: outcome.result, resolved, publication } };
  },
  async release(db, { zone, lease }) {
    await giveLeaseBack(db, zone.id, lease);
  },
  backend: () => PRIMARY,
  about: ({ zone, tasks }) => ({ ...(zone.domain_id !== null && { service_id: zone.domain_id }), tasks }),
  accounts: ({ zone }) => (zone.account_id ? [zone.account_id] : []),
  async finish(tx, { uow, log }, run, outcome) {
    const { zone: before, lease } = run;
    const zone = await lockZone(tx, before.id);
    const isStillOurs = await giveLeaseBack(tx, before.id, lease);
    if (zone === null) return;
    // Its account is locked, and nobody else's may be now: with the next run, the new owner's is.
    if (zone.account_id !== before.account_id) throw new Error(`zone ${zone.name} changed hands meanwhile`);
    if (!isStillOurs) {
      // Which of the runs the name server heard last, nobody knows: it is told everything once more.
      log.warn({ zone: zone.name }, 'a publication took longer than its lease');
      await publishWhole(tx, uow, zone);
    } else if (outcome.kind === 'refused') {
      log.warn({ zone: zone.name, reason: outcome.reason }, 'a name server refused a zone');
      await zoneRefused(tx, uow, zone, run);
    } else if (run.unpublished === null) await zoneGone(tx, uow, zone);
    else {
      // Their tasks go on until every name server has it.
      await clearTrouble(tx, run.tasks);
      await zonePublished(tx, uow, zone, run, outcome.result);
    }
  },
});

function isBehind(zone: Zone, unpublished: Unpublished | null): boolean {
  if (unpublished === null) return zone.gone_at === null;
  const { rrsets, aliases } = unpublished;
  const isOld = zone.published_version < zone.version || zone.signed !== isToBeSigned(zone.dnssec);
  return isOld || rrsets.length + aliases.length > 0;
}

async function bring(
  { dns }: CommandPorts,
  zone: Zone,
  whole: boolean,
  rrsets: Parameters<CommandPorts['dns']['ensureZone']>[0]['rrsets'],
): Promise<CommandOutcome<ServedZone>> {
  const { name, nameservers, signed } = zone;
  const dnssec = isToBeSigned(zone.dnssec);
  if (whole) return await dns.ensureZone({ zone: name, rrsets, nameservers, dnssec });
  const outcome = await dns.ensureRrSets({ zone: name, rrsets });
  return outcome.kind !== 'done' || signed === dnssec ? outcome : await dns.ensureDnssec(name, dnssec);
}
