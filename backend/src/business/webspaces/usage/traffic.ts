import type { Instant } from '../../../base/time.ts';
import type { Executor, Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { emit, inUnitOfWork, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { lockService, suspend, unsuspend } from '../../selling/subscriptions/suspension.ts';

const BYTES_PER_GIB = 1024n ** 3n;

/** A webspace by the traffic of one month. */
export interface MonthOfTraffic {
  readonly id: string;
  readonly account_id: string;
  /** Bytes. */
  readonly used: bigint;
  /** Bytes that its package has; null: as many as it likes. */
  readonly allowed: bigint | null;
  /** Whether its customer was warned of this month. */
  readonly warned: boolean;
  /** Whether it was switched off for this month, also if it is on again. */
  readonly stopped: boolean;
  /** Whether it is off for its traffic. */
  readonly off: boolean;
}

/** What is to happen about its traffic. */
export function trafficStep({ used, allowed, warned, stopped, off }: MonthOfTraffic) {
  if (off) return allowed === null || used < allowed ? ('lift' as const) : null;
  if (allowed === null || stopped) return null;
  if (used >= allowed) return 'stop' as const;
  return !warned && used * 10n >= allowed * 9n ? ('warn' as const) : null;
}

const load = statement<MonthOfTraffic>(
  'load_month_of_traffic',
  `WITH used AS (
     SELECT webspace_id, sum(traffic_bytes)::bigint AS bytes FROM webspace_usage WHERE day >= $3::date GROUP BY 1)
   SELECT w.id, s.account_id, coalesce(u.bytes, 0) AS used, a.bytes AS allowed,
     w.traffic_warned IS NOT DISTINCT FROM $3::date AS warned,
     w.traffic_stopped IS NOT DISTINCT FROM $3::date AS stopped,
     w.traffic_stopped IS NOT NULL AND p.reason IS NOT NULL AS off
   FROM webspaces w
     JOIN services s ON s.id = w.id AND s.state IN ('active', 'suspended', 'cancel_scheduled')
     LEFT JOIN unnest($1::text[], $2::bigint[]) AS a(item, bytes) ON a.item = s.item
     LEFT JOIN used u ON u.webspace_id = w.id
     LEFT JOIN suspensions p ON p.service_id = w.id AND p.reason = 'quota'
   WHERE w.removed_at IS NULL AND (p.reason IS NOT NULL OR u.bytes * 10 >= a.bytes * 9)
   ORDER BY s.account_id, w.id`,
);

/** The webspaces that have used most of what they may in this month, and those that are off for it. */
async function monthsOfTraffic(
  db: Executor,
  catalog: CatalogVersion,
  month: string,
): Promise<MonthOfTraffic[]> {
  const limited = [...catalog.webspacePackages.values()].flatMap(({ uuid, limits: { traffic } }) =>
    traffic === null ? [] : [{ uuid, bytes: BigInt(traffic) * BYTES_PER_GIB }],
  );
  return await db.run(load, [limited.map(({ uuid }) => uuid), limited.map(({ bytes }) => bytes), month]);
}

const noteWarned = statement<object>(
  'note_traffic_warned',
  'UPDATE webspaces SET traffic_warned = $2::date WHERE id = $1',
);
const noteStopped = statement<object>(
  'note_traffic_stopped',
  'UPDATE webspaces SET traffic_stopped = $2::date WHERE id = $1',
);

/**
 * Warns customers whose webspaces have nearly used up the traffic of their month, switches off those that have, and on
 * again those whose month is over or whose package has more by now. Each is a transaction of its own.
 */
export async function limitTraffic(pool: Pool, catalog: CatalogVersion, now: Instant): Promise<void> {
  const month = `${now.toString().slice(0, 7)}-01`;
  for (const found of await monthsOfTraffic(pool, catalog, month)) {
    const step = trafficStep(found);
    if (step !== null) await carryOut(pool, { ...found, step, month }, now);
  }
}

async function carryOut(
  pool: Pool,
  {
    id,
    account_id: accountId,
    used,
    allowed,
    step,
    month,
  }: MonthOfTraffic & { readonly step: 'warn' | 'stop' | 'lift'; readonly month: string },
  now: Instant,
): Promise<void> {
  await inUnitOfWork(pool, now, [accountId], async (tx, uow) => {
    const inGib = (bytes: bigint) => Number(bytes / BYTES_PER_GIB);
    if (step === 'warn') {
      await tx.run(noteWarned, [id, month]);
      emit(uow, lockedAccount(uow, accountId), {
        type: 'webspace.traffic_warning',
        resource: { type: 'webspace', id },
        body: { traffic_used: inGib(used), traffic_total: inGib(allowed ?? 0n) },
      });
      return;
    }
    const service = await lockService(tx, uow, id);
    if (service === null) return;
    await tx.run(noteStopped, [id, step === 'stop' ? month : null]);
    if (step === 'lift') await unsuspend(tx, uow, service, 'quota');
    else
      await suspend(tx, uow, service, {
        reason: 'quota',
        note: `${inGib(used)} of ${inGib(allowed ?? 0n)} GiB in ${month.slice(0, 7)}`,
      });
  });
}
