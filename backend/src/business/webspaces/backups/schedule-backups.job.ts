import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { addBackup, backupJob } from './backups.ts';

const AT_ONCE = 500;

const undone = statement<{ id: string }>(
  'webspaces_without_backup',
  `SELECT w.id FROM webspaces w JOIN services s ON s.id = w.id
   WHERE w.removed_at IS NULL AND s.state IN ('active', 'cancel_scheduled') AND s.item = ANY($2::text[])
     AND NOT EXISTS (SELECT FROM webspace_backups b WHERE b.webspace_id = w.id AND b.kind = 'scheduled'
                     AND b.created_at > $1)
   ORDER BY w.id LIMIT ${AT_ONCE}`,
);

const HOURS_BETWEEN = 23;

/** Backs every webspace up once a day that has backups in its package, some each time, so that hosts are not rushed. */
export default maintenanceJob({
  name: 'webspace.schedule_backups',
  schedule: '*/15 0-6 * * *',
  async run(pool, ctx) {
    const since = ctx.now.subtract({ hours: HOURS_BETWEEN });
    // Asked for before the limit: those without backups would fill it, each time the same.
    const packages = [...ctx.catalogs.current().webspacePackages]
      .filter(([, { limits }]) => limits.backups > 0)
      .map(([item]) => item);
    const wanted = await pool.run(undone, [since, packages]);
    await transaction(pool, async (tx) => {
      const ids = await Promise.all(wanted.map(({ id }) => addBackup(tx, id, 'scheduled', null, ctx.now)));
      await enqueue(tx, ids.map(backupJob), 'maintenance');
    });
  },
});
