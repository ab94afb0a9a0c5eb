import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { DOMAIN_COLUMNS } from '../domain.ts';
import { CONVERGE, LOOK, TRANSFER_OUT } from '../domain-jobs.ts';
import { IS_OVER } from '../state.ts';
import { DIFFERENCE_KINDS, type RecordedDomain } from './compare.ts';

/** So long after a name is over, or was told of, it is asked whether it is here all the same. */
const REMEMBERED = { hours: 60 * 24 };

/** The most names of a registry that one run asks it for. */
const AT_ONCE = 500;

const counts = statement<{ registry: string; domains: number }>(
  'count_domains_by_registry',
  'SELECT registry, count(*)::int AS domains FROM domains GROUP BY registry ORDER BY registry',
);

/** The registries that domains are at, or were, with how many those are. */
export async function registriesInUse(db: Executor) {
  return await db.run(counts, []);
}

// Each name has a slot of its own, in which it is asked for. What differs already is asked for every time, so that it is
// closed soon after it was set right. Registries tell of names that the books may not have at all.
const due = statement<{ name: string }>(
  'reconcilable_names',
  `SELECT subject AS name FROM discrepancies
   WHERE backend = $1 AND kind = ANY($5::text[]) AND resolved_at IS NULL
   UNION
   (SELECT n.name FROM (
      SELECT v.name FROM domains v JOIN services s ON s.id = v.id
      WHERE v.registry = $1 AND (NOT ${IS_OVER} OR coalesce(s.ended_at, s.created_at) > $4)
      UNION SELECT domain FROM registry_messages WHERE registry = $1 AND domain IS NOT NULL AND received_at > $4) n
    WHERE (hashtext(n.name) & 2147483647) % $2::int = $3::int LIMIT ${2 * AT_ONCE})`,
);

/** The names that a registry is asked for in the run at `now`, in one of `perRound` runs, or more where there are many. */
export async function namesDue(
  db: Executor,
  { registry, domains }: { readonly registry: string; readonly domains: number },
  { turn, perRound }: { readonly turn: number; readonly perRound: number },
  now: Instant,
): Promise<readonly string[]> {
  const slots = Math.max(perRound, Math.ceil(domains / AT_ONCE));
  const rows = await db.run(due, [registry, slots, turn % slots, now.subtract(REMEMBERED), DIFFERENCE_KINDS]);
  return rows.map(({ name }) => name);
}

// Of several of one name the one that is there, else the one that is on its way, else the last. A change that waits for
// resolvers or owners is no work at the registry. Locks that have just ended are taken off within the hour.
const booked = statement<RecordedDomain>(
  'booked_domains',
  `SELECT DISTINCT ON (v.name) ${DOMAIN_COLUMNS},
     EXISTS (SELECT FROM tasks t WHERE t.resource_id = v.id AND t.finished_at IS NULL
             AND NOT EXISTS (SELECT FROM domain_changes c WHERE c.id = t.id AND c.state <> 'registry'))
       OR EXISTS (SELECT FROM domain_transfers t
                  WHERE t.state = 'pending' AND v.id IN (t.domain_id, t.from_domain_id))
       OR coalesce(v.seen_at < v.transfer_lock_until AND v.transfer_lock_until <= $2, false)
       OR EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.attempts < j.max_attempts
                  AND j.key IN ('${CONVERGE}:' || v.id, '${LOOK}:' || v.id, '${TRANSFER_OUT}:' || v.id)) AS busy
   FROM domains v JOIN services s ON s.id = v.id
   WHERE v.name = ANY($1::text[])
   ORDER BY v.name, v.state IN ('active', 'redemption', 'pending_delete') DESC, NOT ${IS_OVER} DESC, s.number DESC`,
);

/** What the books say of names, by them. */
export async function recordedDomains(
  db: Executor,
  names: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, RecordedDomain>> {
  const rows = await db.run(booked, [names, now]);
  return new Map(rows.map((row) => [row.name, row]));
}
