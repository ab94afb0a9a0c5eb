import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { type JobContext, maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { isSafeMode } from '../../../work/safe-mode.ts';
import { PUBLISH, zoneJob } from '../../dns/publish/zone-jobs.ts';
import { zoneOfDomain } from '../../dns/zone/zone.ts';
import { bringInto, changeOf } from '../changes/change.ts';
import { lockDomain } from '../domain.ts';

const AT_ONCE = 500;

// Of reverse zones a pool of addresses says it.
const renamed = statement<{ id: string }>(
  'rename_nameservers',
  `UPDATE zones SET nameservers = $1, whole_version = version,
     published_version = least(published_version, version - 1)
   WHERE id IN (SELECT id FROM zones WHERE domain_id IS NOT NULL AND removed_at IS NULL AND remove_at IS NULL
     AND nameservers <> $1 ORDER BY id LIMIT ${AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED) RETURNING id`,
);
// A zone that is out is one that no name server is asked about any more.
const delegatedBefore = statement<{ id: string; account_id: string }>(
  'domains_of_old_nameservers',
  `SELECT v.id, s.account_id FROM zones z JOIN domains v ON v.id = z.domain_id JOIN services s ON s.id = v.id
   WHERE z.nameservers = $1 AND z.removed_at IS NULL AND z.remove_at IS NULL AND z.published_version = z.version
     AND z.check_at IS NULL AND z.lease IS NULL AND v.state = 'active' AND v.dns_hosted
     AND ARRAY(SELECT n->>'hostname' FROM jsonb_array_elements(v.nameservers) n) <> $1
     AND NOT EXISTS (SELECT FROM domain_changes c WHERE c.domain_id = v.id AND c.kind = 'nameservers')
   ORDER BY v.id LIMIT ${AT_ONCE}`,
);

/**
 * Has zones and delegations follow the catalogue's name servers: SOA and NS of each zone first, and once the new ones
 * serve it, its registry. Nothing about signatures changes with it: all of them serve the same zone, by the same keys.
 */
export default maintenanceJob({
  name: 'dns.nameservers',
  schedule: '*/2 * * * *',
  async run(pool, ctx) {
    const { nameservers } = (await ctx.catalogs.newest(pool)).content;
    // None: zones are not hosted any more, and those that are stay as they are.
    if (nameservers.length === 0 || (await isSafeMode(pool))) return;
    await transaction(pool, async (tx) => {
      const zones = await tx.run(renamed, [nameservers]);
      await enqueue(
        tx,
        zones.map(({ id }) => zoneJob(PUBLISH, id)),
      );
    });
    for (const domain of await pool.run(delegatedBefore, [nameservers]))
      await delegate(pool, ctx, domain, nameservers);
  },
});

async function delegate(
  pool: Pool,
  { now }: JobContext,
  { id, account_id: accountId }: { readonly id: string; readonly account_id: string },
  hostnames: readonly string[],
): Promise<void> {
  await inUnitOfWork(pool, now, [accountId], async (tx, uow) => {
    const domain = await lockDomain(tx, id);
    const zone = await zoneOfDomain(tx, id);
    if (domain?.account_id !== accountId || !domain.dns_hosted || domain.registry_state !== 'active') return;
    if (zone?.nameservers.join() !== hostnames.join()) return;
    if ((await changeOf(tx, id, 'nameservers')) !== null) return;
    const nameservers = hostnames.map((hostname) => ({ hostname, ipv4: [], ipv6: [] }));
    await bringInto(tx, uow, id, { nameservers });
  });
}
