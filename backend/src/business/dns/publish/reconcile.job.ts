import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { isSafeMode } from '../../../work/safe-mode.ts';
import { type Discrepancy, recordDiscrepancies } from '../../core/backends/discrepancy.ts';
import { compareZones, DIFFERENCE_KINDS, type RecordedZone } from './compare.ts';
import { PUBLISH, zoneJob } from './zone-jobs.ts';

const BACKEND = 'dns';

const booked = statement<RecordedZone>(
  'booked_zones',
  `SELECT id, name, published_version, dnssec, removed_at IS NOT NULL AS removed FROM zones
   WHERE gone_at IS NULL`,
);
// What is behind for an hour has lost its job.
const behind = statement<{ id: string }>(
  'zones_behind',
  `SELECT id FROM zones z WHERE gone_at IS NULL AND updated_at < $1
     AND (removed_at IS NOT NULL OR published_version < version)
     AND NOT EXISTS (SELECT FROM graphile_worker.jobs j
       WHERE j.key = '${PUBLISH}:' || z.id AND j.attempts < j.max_attempts)
   LIMIT 1000`,
);
const whole = statement<object>(
  'zones_missing',
  'UPDATE zones SET whole_version = version, published_version = least(published_version, version - 1) WHERE id = ANY($1::uuid[])',
);

/**
 * Compares the books with the name server (rule C3). What the name server has and the books do not know is reported,
 * never removed. What it lost is published again, unless it was signed: it would be by a key that no parent knows.
 */
export default maintenanceJob({
  name: 'dns.reconcile',
  schedule: '7,27,47 * * * *',
  async run(pool, ctx, { dns }) {
    const zones = await pool.run(booked, []);
    const served = await dns.list().catch((error: unknown) => {
      if (!(error instanceof BackendUnavailable)) throw error;
      ctx.log.warn({ err: error }, 'the name server is out of reach: nothing is known about its zones');
      return null;
    });
    if (served === null) return;
    // Asked for once more: what came since then is no surprise.
    const { differences, missing } = compareZones(zones, await pool.run(booked, []), served);
    const found: Discrepancy[] = differences.map((one) => ({ backend: BACKEND, ...one }));
    const isSafe = await isSafeMode(pool);
    const lost = (await pool.run(behind, [ctx.now.subtract({ hours: 1 })])).map(({ id }) => id);
    if (missing.length > 0) ctx.log.warn({ zones: missing.length }, 'zones that should be served are not');
    await transaction(pool, async (tx) => {
      const again = isSafe ? [] : missing;
      await tx.run(whole, [again]);
      await enqueue(
        tx,
        [...new Set([...again, ...(isSafe ? [] : lost)])].map((id) => zoneJob(PUBLISH, id)),
        'maintenance',
      );
      const reach = { backends: [BACKEND], kinds: [...DIFFERENCE_KINDS], unreachableNodes: [] };
      await recordDiscrepancies(tx, found, reach, ctx.now);
    });
  },
});
