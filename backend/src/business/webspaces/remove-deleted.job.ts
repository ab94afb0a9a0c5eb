import { statement } from '../../db/statement.ts';
import { transaction } from '../../db/transaction.ts';
import { maintenanceJob } from '../../work/job.ts';
import { enqueue } from '../../work/queue.ts';
import { backupRemovalJob } from './backups/backups.ts';
import { convergenceJob } from './webspace-jobs.ts';

const AT_ONCE = 1000;

const unremoved = statement<{ id: string }>(
  'unremoved_webspaces',
  `SELECT w.id FROM webspaces w JOIN services s ON s.id = w.id
   WHERE w.removed_at IS NULL AND s.state = 'deleted' ORDER BY w.id LIMIT ${AT_ONCE}`,
);

// Those of webspaces that are gone, and those whose removal was begun.
const unwantedBackups = statement<{ id: string }>(
  'unwanted_backups',
  `SELECT b.id FROM webspace_backups b JOIN webspaces w ON w.id = b.webspace_id
   WHERE b.state = 'deleting' OR (w.removed_at IS NOT NULL AND b.state <> 'failed') ORDER BY b.id LIMIT ${AT_ONCE}`,
);

const FAILED_DAYS = 30;

// A web server keeps nothing of a backup that failed: there is only the row to forget, also of a webspace that is gone.
const forgetFailed = statement<object>(
  'forget_failed_backups',
  `DELETE FROM webspace_backups WHERE id IN (
     SELECT id FROM webspace_backups WHERE state = 'failed' AND finished_at < $1 LIMIT ${AT_ONCE})`,
);

/**
 * Goes on with the removal of deleted webspaces, and of backups, whose web server refused or was away for long; and
 * forgets backups that failed a month ago.
 */
export default maintenanceJob({
  name: 'webspace.remove_deleted',
  schedule: '41 * * * *',
  async run(pool, { now }) {
    await pool.run(forgetFailed, [now.subtract({ hours: 24 * FAILED_DAYS })]);
    const [webspaces, backups] = await Promise.all([pool.run(unremoved, []), pool.run(unwantedBackups, [])]);
    const jobs = [
      ...webspaces.map(({ id }) => convergenceJob(id)),
      ...backups.map(({ id }) => backupRemovalJob(id)),
    ];
    if (jobs.length > 0) await transaction(pool, (tx) => enqueue(tx, jobs));
  },
});
