import { statement } from '../../../db/statement.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { tickJob } from '../../../work/job.ts';
import { nextStep, registryTold } from '../dnssec/dnssec.ts';
import { factsOf } from '../dnssec/dnssec-facts.ts';
import { takeStep } from '../dnssec/dnssec-step.ts';
import { removeZone } from '../zone/hosting.ts';
import { lockZone } from '../zone/zone.ts';
import { DELEGATE, enqueueZone } from './zone-jobs.ts';

const AT_ONCE = 100;

const due = statement<{ id: string; account_id: string | null }>(
  'zones_due',
  `SELECT d.id, s.account_id FROM (
     (SELECT id, domain_id FROM zones WHERE remove_at <= $1 AND removed_at IS NULL ORDER BY remove_at LIMIT ${AT_ONCE})
     UNION
     (SELECT id, domain_id FROM zones WHERE dnssec_due_at <= $1 ORDER BY dnssec_due_at LIMIT ${AT_ONCE})) d
   LEFT JOIN services s ON s.id = d.domain_id ORDER BY d.id`,
);
const over = statement<object>(
  'dnssec_wait_is_over',
  'UPDATE zones SET dnssec_due_at = NULL, check_at = $2 WHERE id = $1',
);

/** What zones come to by themselves: their end, and the steps of signing that wait for time to pass. */
export default tickJob({
  name: 'dns.due',
  everyMs: 1_000,
  async run(pool, ctx) {
    for (const { id, account_id } of await pool.run(due, [ctx.now])) {
      await inUnitOfWork(pool, ctx.now, account_id === null ? [] : [account_id], async (tx, uow) => {
        const zone = await lockZone(tx, id);
        if (zone === null || zone.account_id !== account_id || zone.removed_at !== null) return;
        const { remove_at: removeAt, dnssec_due_at: dueAt } = zone;
        if (removeAt !== null && Temporal.Instant.compare(removeAt, uow.now) <= 0) {
          await removeZone(tx, uow, zone);
          return;
        }
        if (dueAt === null || Temporal.Instant.compare(dueAt, uow.now) > 0) return;
        const stepped = await takeStep(tx, uow, zone, nextStep(factsOf(zone, uow.now)));
        if (stepped.dnssec !== zone.dnssec) return;
        await tx.run(over, [id, uow.now]);
        // A registry that did not follow is told again; of others, name servers are asked what they serve by now.
        if (registryTold(zone.dnssec) !== null) enqueueZone(uow, DELEGATE, id);
      });
    }
  },
});
