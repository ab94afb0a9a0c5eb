import { isBefore } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { type JobContext, maintenanceJob } from '../../../work/job.ts';
import { zoneOfDomain } from '../../dns/zone/zone.ts';
import { lockDomain } from '../domain.ts';
import { convergeDomain } from '../domain-jobs.ts';
import { changesOf, type DomainChange } from './change.ts';
import { abandon, takeStep } from './change-progress.ts';

const AT_ONCE = 500;

interface Due {
  readonly id: string;
  readonly domain_id: string;
  readonly account_id: string;
}

// The key is that of domainJob. A job that has used up its attempts is not alive; one that waits or runs is.
const due = statement<Due>(
  'due_domain_changes',
  `SELECT c.id, c.domain_id, s.account_id
   FROM domain_changes c JOIN services s ON s.id = c.domain_id JOIN domains v ON v.id = c.domain_id
   WHERE c.due_at <= $1 OR v.state <> 'active' OR c.state = 'registry' AND NOT EXISTS (
     SELECT FROM graphile_worker.jobs j
     WHERE j.key = 'domain.converge:' || c.domain_id AND j.attempts < j.max_attempts)
   ORDER BY c.created_at LIMIT ${AT_ONCE}`,
);

/**
 * Has changes of domains go on whose time has come: what waited for resolvers takes its next step (rule F7), what
 * waited for owners in vain comes to nothing, as does what is left of a domain that has gone. What waits for its
 * registry and has no job any more gets one (rule C2).
 */
export default maintenanceJob({
  name: 'domain.changes',
  schedule: '* * * * *',
  async run(pool, ctx) {
    for (const one of await pool.run(due, [ctx.now])) await goOn(pool, ctx, one);
  },
});

async function goOn(pool: Pool, { now }: JobContext, one: Due): Promise<void> {
  await inUnitOfWork(pool, now, [one.account_id], async (tx, uow) => {
    const domain = await lockDomain(tx, one.domain_id);
    const change = (await changesOf(tx, one.domain_id)).find(({ id }) => id === one.id);
    if (domain === null || change === undefined) return;
    const isDue = change.due_at !== null && !isBefore(now, change.due_at);
    if (domain.registry_state !== 'active') await abandon(tx, uow, domain, change, 'state_conflict');
    else if (change.state === 'approval' && isDue) await abandon(tx, uow, domain, change, 'change_rejected');
    else if (change.state === 'waiting' && isDue && (await isServed(tx, change)))
      await takeStep(tx, uow, domain, change);
    else if (change.state === 'registry') convergeDomain(uow, domain.id);
  });
}

/** Nobody is sent to name servers of ours before they have the zone (rule F6). */
async function isServed(tx: Transaction, { domain_id: domainId, steps }: DomainChange): Promise<boolean> {
  if (!steps[0]?.columns.dns_hosted) return true;
  const zone = await zoneOfDomain(tx, domainId);
  return zone === null || zone.visible_version > 0;
}
