import { statement } from '../../db/statement.ts';
import { transaction } from '../../db/transaction.ts';
import { maintenanceJob } from '../../work/job.ts';
import { enqueue } from '../../work/queue.ts';
import { backupJob } from './backups/backups.ts';
import { BACKUP, CONFIGURE, CONVERGE, convergenceJob, RESTORE, restoreJob } from './webspace-jobs.ts';

const AT_ONCE = 1000;

interface Stranded {
  readonly job: typeof CONVERGE | typeof BACKUP | typeof RESTORE;
  readonly id: string;
}

// A job that has used up its attempts is not alive; one that waits or runs is. What a suspension began has no task.
const stranded = statement<Stranded>(
  'stranded_webspace_work',
  `SELECT DISTINCT w.job, w.id FROM (
     SELECT '${CONVERGE}' AS job, t.resource_id::text AS id FROM tasks t
     WHERE t.type = '${CONFIGURE}' AND t.finished_at IS NULL
     UNION ALL
     SELECT '${RESTORE}', t.id::text FROM tasks t WHERE t.type = '${RESTORE}' AND t.finished_at IS NULL
     UNION ALL
     SELECT '${BACKUP}', b.id::text FROM webspace_backups b WHERE b.state = 'pending'
     UNION ALL
     SELECT j.task_identifier, split_part(j.key, ':', 2) FROM graphile_worker.jobs j
     WHERE j.key LIKE '${CONVERGE}:%' AND j.attempts >= j.max_attempts) w
   WHERE NOT EXISTS (
     SELECT FROM graphile_worker.jobs j WHERE j.key = w.job || ':' || w.id AND j.attempts < j.max_attempts)
   ORDER BY w.id LIMIT ${AT_ONCE}`,
);

const JOBS = { [CONVERGE]: convergenceJob, [BACKUP]: backupJob, [RESTORE]: restoreJob };

/** Goes on with work on webspaces whose job is gone: its outcome is not known, so it is never given up (rule C2). */
export default maintenanceJob({
  name: 'webspace.orphaned',
  schedule: '*/10 * * * *',
  async run(pool, ctx) {
    const found = await pool.run(stranded, []);
    if (found.length === 0) return;
    await transaction(pool, (tx) =>
      enqueue(
        tx,
        found.map(({ job, id }) => JOBS[job](id)),
      ),
    );
    ctx.log.warn({ works: found.length }, 'work on webspaces without a job was enqueued again');
  },
});
