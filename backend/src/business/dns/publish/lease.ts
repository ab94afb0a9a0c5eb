import { randomUUID } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { ZONE_COLUMNS, type Zone } from '../zone/zone.ts';
import { PUBLISH, zoneJob } from './zone-jobs.ts';

/** Nobody else commands the name server about the zone until then. */
const LEASED_FOR = { seconds: 45 };
/**
 * What comes before the command, such as looking up ALIAS targets, may take so long: the command has the rest of the
 * lease, which is longer than name servers are waited for. A run that takes longer all the same undoes nothing: it
 * finds that its lease is gone (`jobs/publish.ts`).
 */
export const PREPARED_WITHIN_MS = 10_000;

// A name that was given away is first removed from the name server, then made anew.
const take = statement<Zone>(
  'lease_zone',
  `UPDATE zones z SET lease = $2, leased_until = $3
   WHERE z.id = $1 AND (z.lease IS NULL OR z.leased_until <= $4)
     AND (z.removed_at IS NOT NULL OR NOT EXISTS (SELECT FROM zones o
       WHERE o.name = z.name AND o.removed_at IS NOT NULL AND o.gone_at IS NULL))
   RETURNING ${ZONE_COLUMNS}`,
);
const giveBack = statement<{ id: string }>(
  'give_zone_lease_back',
  'UPDATE zones SET lease = NULL, leased_until = NULL WHERE id = $1 AND lease = $2 RETURNING id',
);

// Without a lease of its own, it is kept from publishing by the zone that had its name before, whose end enqueues it.
const later = statement<object>(
  'publish_after_lease',
  `SELECT enqueue_later($2, $3, $4, CASE WHEN leased_until > $5::timestamptz
     THEN extract(epoch FROM leased_until - $5::timestamptz)::float8 ELSE $6::float8 END) FROM zones WHERE id = $1`,
);

export interface LeasedZone {
  readonly lease: string;
  readonly zone: Zone;
}

/**
 * Takes a zone for one run of its job: two that command the name server at once could leave it as the older one knew
 * it. null: another run has it, or its name is still being removed.
 */
export async function leaseZone(db: Executor, zoneId: string, now: Instant): Promise<LeasedZone | null> {
  const lease = randomUUID();
  const [zone] = await db.run(take, [zoneId, lease, now.add(LEASED_FOR), now]);
  return zone === undefined ? null : { lease, zone };
}

/**
 * Has a zone that could not be leased published when the other run's lease is over at the latest: that run knows what came
 * meanwhile and asks for another itself, unless it dies.
 */
export async function publishAfterLease(db: Executor, zoneId: string, now: Instant): Promise<void> {
  const { name, payload, key } = zoneJob(PUBLISH, zoneId);
  await db.run(later, [zoneId, name, JSON.stringify(payload), key, now, LEASED_FOR.seconds]);
}

/** Whether it was still this run's. If not, another one may have commanded the name server at the same time. */
export async function giveLeaseBack(db: Executor, zoneId: string, lease: string): Promise<boolean> {
  return (await db.run(giveBack, [zoneId, lease])).length > 0;
}
