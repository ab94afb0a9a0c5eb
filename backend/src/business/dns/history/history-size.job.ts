import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { maintenanceJob } from '../../../work/job.ts';

const AT_ONCE = 500;
/** A revision may be as large as its zone. */
const BATCH = 100;
const MEGABYTE = 1_048_576;

const large = statement<{ id: string }>(
  'zones_with_large_history',
  `SELECT id FROM zones WHERE history_octets > ${MEGABYTE} AND history_octets > $1 AND id > $2 ORDER BY id LIMIT ${AT_ONCE}`,
);
// The version that everything is forgotten up to. The last change can be rolled back: what came of the one before it is
// kept, too. So is whatever a task still watches being published.
const cut = statement<{ version: number }>(
  'cut_of_zone_history',
  `SELECT least(max(r.version), min(z.version) - 2,
     (SELECT min(w.version) - 1 FROM zone_revisions w JOIN tasks t ON t.id = w.task_id
      WHERE w.zone_id = $1 AND t.finished_at IS NULL)) AS version
   FROM (SELECT version, sum(octets) OVER (ORDER BY version DESC) AS octets FROM zone_revisions WHERE zone_id = $1) r,
     zones z
   WHERE z.id = $1 AND r.octets > $2 HAVING max(r.version) IS NOT NULL`,
);
const forget = statement<{ one: number }>(
  'cut_zone_history',
  `WITH gone AS (
     DELETE FROM zone_revisions WHERE id IN (
       SELECT id FROM zone_revisions WHERE zone_id = $1 AND version <= $2 ORDER BY version LIMIT ${BATCH})
     RETURNING octets),
   less AS (
     UPDATE zones SET history_octets = history_octets - (SELECT coalesce(sum(octets), 0) FROM gone) WHERE id = $1)
   SELECT 1 AS one FROM gone`,
);

/**
 * Forgets the oldest revisions of zones whose history is larger than the catalogue has it, however young they are: a zone
 * can be replaced all day. It runs all the time, so that what one customer writes between two runs is little.
 */
export default maintenanceJob({
  name: 'dns.history_size',
  schedule: '* * * * *',
  async run(pool, { catalogs }) {
    const most = (await catalogs.newest(pool)).content.zone_history.megabytes * MEGABYTE;
    for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
      const zones = await pool.run(large, [most, last]);
      for (const { id } of zones) await shorten(pool, id, most);
      const newest = zones.at(-1);
      if (newest === undefined || zones.length < AT_ONCE) return;
      last = newest.id;
    }
  },
});

async function shorten(pool: Pool, zoneId: string, most: number): Promise<void> {
  const [found] = await pool.run(cut, [zoneId, most]);
  if (found === undefined) return;
  while ((await pool.run(forget, [zoneId, found.version])).length === BATCH);
}
