import { statement } from '../../../db/statement.ts';
import { maintenanceJob } from '../../../work/job.ts';

const BATCH = 5_000;

// Versions of a zone are dense: so many below its own are so many revisions ago. The oldest first, so that none is left
// before one that is gone; rows of zones are locked in the order of their ids (rule A4).
const forget = statement<{ one: number }>(
  'forget_zone_revisions',
  `WITH old AS MATERIALIZED (
     SELECT r.id, r.zone_id FROM zone_revisions r JOIN zones z ON z.id = r.zone_id
     WHERE r.created_at < $1 AND (r.version <= z.version - $2 OR z.gone_at < $1)
     ORDER BY r.zone_id, r.version LIMIT ${BATCH}),
   gone AS (DELETE FROM zone_revisions WHERE id IN (SELECT id FROM old) RETURNING zone_id, octets),
   locked AS MATERIALIZED (
     SELECT id FROM zones WHERE id IN (SELECT zone_id FROM old) ORDER BY id FOR NO KEY UPDATE),
   less AS (
     UPDATE zones z SET history_octets = z.history_octets - g.octets
     FROM (SELECT zone_id, sum(octets) AS octets FROM gone GROUP BY zone_id) g JOIN locked l ON l.id = g.zone_id
     WHERE z.id = l.id)
   SELECT 1 AS one FROM gone`,
);

const forgetRecords = statement<{ one: number }>(
  'forget_zone_records',
  `DELETE FROM zone_records WHERE id IN (
     SELECT r.id FROM zones z JOIN zone_records r ON r.zone_id = z.id WHERE z.gone_at < $1 LIMIT ${BATCH})
   RETURNING 1 AS one`,
);
// Of transfers that came to nothing.
const forgetDrafts = statement<object>(
  'forget_zone_drafts',
  `DELETE FROM zone_drafts d USING domains v WHERE v.id = d.domain_id AND v.state <> 'pending_transfer'`,
);

/**
 * Forgets the oldest revisions of zones, as the catalogue has it, and zones that went as long ago. A zone as it was is today's with everything undone that
 * came since, so what is left can be shown and brought back as before.
 */
export default maintenanceJob({
  name: 'dns.history',
  schedule: '40 3 * * *',
  async run(pool, { now, catalogs }) {
    const { revisions, days } = (await catalogs.newest(pool)).content.zone_history;
    const before = now.subtract({ hours: 24 * days });
    // In batches, so that no transaction grows with what has piled up.
    while ((await pool.run(forget, [before, revisions])).length === BATCH);
    while ((await pool.run(forgetRecords, [before])).length === BATCH);
    await pool.run(forgetDrafts, []);
  },
});
